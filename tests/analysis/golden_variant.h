// Effective attention of every head of a trace as tensors with golden/README's names.
#pragma once

#include "analysis/effective_attention.h"
#include "io/trace_bundle.h"
#include "support/golden.h"

namespace nullscope::test {

inline constexpr analysis::EffectiveVariant kVariants[] = {
    analysis::EffectiveVariant::kValue, analysis::EffectiveVariant::kValueNoBias, analysis::EffectiveVariant::kValueAndOnes,
    analysis::EffectiveVariant::kProjectedValue, analysis::EffectiveVariant::kProjectedValueNoBias};

struct VariantNumbers {
  Tensor<double> effective, null;  // [L, H, T, T]
  Tensor<double> singular_values;  // [L, H, m]
  Tensor<double> row_sum;          // [L, H, T]
  Tensor<double> output_residual, output_residual_max, pearson;  // [L, H]
  Tensor<int64_t> rank;            // [L, H]
};

// `numbers` as block `index` of [count, H, ...]; the first call gives the shape.
inline void put(Tensor<double>& all, const Shape& shape, int64_t block, const double* first, int64_t count) {
  if (all.empty()) all = Tensor<double>(shape);
  REQUIRE(count * (block + 1) <= all.size());
  std::copy_n(first, count, all.data() + block * count);
}

template <class S>
VariantNumbers variant_numbers(const model::ForwardTrace<S>& trace, const model::BertWeights& weights,
                               analysis::EffectiveVariant variant) {
  const int64_t layers = trace.config.layers, heads = trace.config.heads, tokens = trace.tokens();
  VariantNumbers all;
  all.rank = Tensor<int64_t>({layers, heads});
  for (int layer = 0; layer < layers; ++layer) {
    const Tensor<S>& probs = trace.layers[static_cast<size_t>(layer)].attention_probs;
    for (int head = 0; head < heads; ++head) {
      const auto result = analysis::effective_attention(trace, weights, {layer, head}, {variant, {}});
      REQUIRE_MESSAGE(result, result.error().message);
      const int64_t at = layer * heads + head, values = static_cast<int64_t>(result->singular_values.size());
      Tensor<double> null = result->effective;
      for (int64_t i = 0; i < null.size(); ++i) null.data()[i] = static_cast<double>(probs.block(head)[i]) - null.data()[i];
      put(all.effective, {layers, heads, tokens, tokens}, at, result->effective.data(), tokens * tokens);
      put(all.null, {layers, heads, tokens, tokens}, at, null.data(), tokens * tokens);
      put(all.singular_values, {layers, heads, values}, at, result->singular_values.data(), values);
      put(all.row_sum, {layers, heads, tokens}, at, result->row_sum.data(), tokens);
      put(all.output_residual, {layers, heads}, at, &result->output_residual, 1);
      put(all.output_residual_max, {layers, heads}, at, &result->output_residual_max, 1);
      put(all.pearson, {layers, heads}, at, &result->pearson, 1);
      all.rank(layer, head) = result->rank;
    }
  }
  return all;
}

}  // namespace nullscope::test
