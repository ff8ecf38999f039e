#include "session/warm_up.h"

#include <memory>
#include <vector>

#include "analysis/effective_attention.h"
#include "core/tensor_bundle.h"
#include "model/forward.h"

namespace nullscope::session {
namespace {

// Each needs enough uses for the browser to compile it, and no more.
constexpr int kPasses = 4;
constexpr int kTokens = 72;  // more than a head's 64 channels, so that the decomposition runs too

// All numbers are small and unlike each other; their values do not matter.
model::Weight toy_weight(int64_t rows, int64_t columns, nn::WeightType type) {
  const auto count = static_cast<size_t>(rows * columns);
  auto bytes = std::make_shared<std::vector<float>>(count);
  for (size_t i = 0; i < count; ++i) (*bytes)[i] = static_cast<float>((i * 7919 + 13) % 1009) / 1009 - 0.5F;
  if (type == nn::WeightType::kF32) return {{bytes, reinterpret_cast<const std::byte*>(bytes->data())}, type, rows, columns};
  auto halves = std::make_shared<std::vector<uint16_t>>(count);
  for (size_t i = 0; i < count; ++i) (*halves)[i] = float_to_half((*bytes)[i] / 8);
  return {{halves, reinterpret_cast<const std::byte*>(halves->data())}, type, rows, columns};
}

model::LinearWeights toy_linear(int64_t out, int64_t in) {
  return {toy_weight(out, in, nn::WeightType::kF16), toy_weight(1, out, nn::WeightType::kF32)};
}

model::BertWeights toy_weights() {
  model::BertWeights weights;
  model::BertConfig& c = weights.config;
  c.layers = 1;
  c.heads = 2;
  c.hidden = 128;
  c.intermediate = 512;
  c.vocabulary = 512;
  c.positions = kTokens;
  const model::LayerNormWeights norm{toy_weight(1, c.hidden, nn::WeightType::kF32), toy_weight(1, c.hidden, nn::WeightType::kF32)};
  weights.embeddings = {toy_weight(c.vocabulary, c.hidden, nn::WeightType::kF16), toy_weight(c.positions, c.hidden, nn::WeightType::kF16),
                        toy_weight(c.segments, c.hidden, nn::WeightType::kF16), norm};
  weights.layers.push_back({toy_linear(c.hidden, c.hidden), toy_linear(c.hidden, c.hidden), toy_linear(c.hidden, c.hidden),
                            toy_linear(c.hidden, c.hidden), norm, toy_linear(c.intermediate, c.hidden), toy_linear(c.hidden, c.intermediate), norm});
  weights.mlm = model::MlmHeadWeights{toy_linear(c.hidden, c.hidden), norm, toy_linear(c.vocabulary, c.hidden)};
  return weights;
}

}  // namespace

void warm_up(const nn::Parallel& parallel) {
  const model::BertWeights weights = toy_weights();
  for (int pass = 0; pass < kPasses; ++pass) {
    model::ModelInput input;
    for (int i = 0; i < kTokens; ++i) input.ids.push_back(i);
    const auto trace = model::forward<float>(weights, std::move(input), {}, model::TraceDetail::attention_views(), &parallel);
    if (!trace) return;
    for (int head = 0; head < weights.config.heads; ++head) static_cast<void>(analysis::effective_attention(*trace, weights, {0, head}));
  }
}

}  // namespace nullscope::session
