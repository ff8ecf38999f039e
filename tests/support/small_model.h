// Weights made in memory, and a tiny random BERT of any size.
#pragma once

#include <cstring>
#include <memory>

#include "model/weights.h"
#include "support/random_numbers.h"

namespace nullscope::test {

// A vector becomes one row.
inline model::Weight weight_of(const Tensor<double>& numbers) {
  const auto bytes = static_cast<size_t>(numbers.size()) * sizeof(double);
  const std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);
  std::memcpy(memory.get(), numbers.data(), bytes);
  const int64_t rows = numbers.shape().size() == 1 ? 1 : numbers.dim(0);
  return {std::shared_ptr<const std::byte>(memory, memory.get()), nn::WeightType::kF64, rows, numbers.size() / rows};
}

inline model::BertWeights random_model(const model::BertConfig& config, uint64_t seed) {
  RandomNumbers random(seed);
  const auto linear = [&](int64_t out, int64_t in) {
    return model::LinearWeights{weight_of(random.tensor<double>({out, in})), weight_of(random.tensor<double>({out}))};
  };
  const auto norm = [&] {
    return model::LayerNormWeights{weight_of(random.tensor<double>({config.hidden})), weight_of(random.tensor<double>({config.hidden}))};
  };
  model::BertWeights weights;
  weights.config = config;
  weights.embeddings.word = weight_of(random.tensor<double>({config.vocabulary, config.hidden}));
  weights.embeddings.position = weight_of(random.tensor<double>({config.positions, config.hidden}));
  if (config.segments > 0) weights.embeddings.segment = weight_of(random.tensor<double>({config.segments, config.hidden}));
  weights.embeddings.norm = norm();
  for (int layer = 0; layer < config.layers; ++layer) {
    model::LayerWeights& w = weights.layers.emplace_back();
    w.query = linear(config.hidden, config.hidden);
    w.key = linear(config.hidden, config.hidden);
    w.value = linear(config.hidden, config.hidden);
    w.self_output = linear(config.hidden, config.hidden);
    w.attention_norm = norm();
    w.intermediate = linear(config.intermediate, config.hidden);
    w.output = linear(config.hidden, config.intermediate);
    w.output_norm = norm();
  }
  return weights;
}

}  // namespace nullscope::test
