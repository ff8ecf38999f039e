// Traces and weights with one layer of random heads, for identities that hold for any head.
#pragma once

#include <algorithm>
#include <cmath>

#include "analysis/effective_attention.h"
#include "support/small_model.h"

namespace nullscope::test {

struct RandomHeads {
  model::ForwardTrace<double> trace;
  model::BertWeights weights;
  Tensor<double> value_bias;     // [C]
  Tensor<double> output_weight;  // [C, C], [out, in]
};

inline RandomHeads random_heads(int tokens, int heads, int head_size, uint64_t seed) {
  RandomNumbers random(seed);
  const int hidden = heads * head_size;
  RandomHeads made;
  made.trace.config.layers = 1;
  made.trace.config.heads = heads;
  made.trace.config.hidden = hidden;
  made.trace.input.ids.assign(static_cast<size_t>(tokens), 0);
  model::LayerTrace<double>& layer = made.trace.layers.emplace_back();
  layer.value = random.tensor<double>({tokens, heads, head_size});
  layer.attention_probs = random.tensor<double>({heads, tokens, tokens});
  for (int64_t row = 0; row < int64_t{heads} * tokens; ++row) {  // softmax of numbers up to 6 in size
    double* p = layer.attention_probs.data() + row * tokens;
    double sum = 0;
    for (int k = 0; k < tokens; ++k) sum += p[k] = std::exp(6 * p[k]);
    for (int k = 0; k < tokens; ++k) p[k] /= sum;
  }
  made.value_bias = random.tensor<double>({hidden});
  made.output_weight = random.tensor<double>({hidden, hidden});
  model::LayerWeights& w = made.weights.layers.emplace_back();
  w.value.bias = weight_of(made.value_bias);
  w.self_output.weight = weight_of(made.output_weight);
  made.weights.config = made.trace.config;
  return made;
}

// The variant's matrix M [T, m] of one head, written out.
inline Tensor<double> variant_matrix(const RandomHeads& made, int head, analysis::EffectiveVariant variant) {
  using enum analysis::EffectiveVariant;
  const Tensor<double>& value = made.trace.layers[0].value;
  const int64_t tokens = value.dim(0), size = value.dim(2), hidden = made.trace.config.hidden;
  const bool bias_off = variant == kValueNoBias || variant == kProjectedValueNoBias;
  Tensor<double> v({tokens, size});
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t d = 0; d < size; ++d) v(t, d) = value(t, head, d) - (bias_off ? made.value_bias(head * size + d) : 0);
  if (variant == kValue || variant == kValueNoBias) return v;
  const bool ones = variant == kValueAndOnes;
  Tensor<double> m({tokens, ones ? size + 1 : hidden});
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t c = 0; c < m.dim(1); ++c) {
      if (ones) {
        m(t, c) = c < size ? v(t, c) : 1;
        continue;
      }
      for (int64_t d = 0; d < size; ++d) m(t, c) += v(t, d) * made.output_weight(c, head * size + d);
    }
  return m;
}

inline Tensor<double> product(const double* a, int64_t rows, const Tensor<double>& b) {
  Tensor<double> out({rows, b.dim(1)});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < b.dim(0); ++k)
      for (int64_t j = 0; j < b.dim(1); ++j) out(i, j) += a[i * b.dim(0) + k] * b(k, j);
  return out;
}

inline double largest(const Tensor<double>& numbers) {
  double most = 0;
  for (const double x : numbers.values()) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace nullscope::test
