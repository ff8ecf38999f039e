// Messages of session/messages.h made in code: small texts whose every number is known.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/tensor_bundle.h"
#include "model/config.h"

namespace nullscope::support {

// The raw map that layer_message() makes: query 0 attends to key 0 with 0.5 + layer / 100, the rest is spread.
inline float known_raw(int layer, int head, int query, int key, int tokens) {
  const float first = 0.5f + 0.01f * static_cast<float>(layer) + 0.001f * static_cast<float>(head + query);
  return key == 0 ? first : (1 - first) / static_cast<float>(tokens - 1);
}
inline float known_effective(int layer, int head, int query, int key, int tokens) {
  return known_raw(layer, head, query, key, tokens) - 0.25f * static_cast<float>(key == 1) - 0.125f * static_cast<float>(key == 2);
}

inline TensorBundle tokens_message(int64_t request, const std::vector<std::string>& tokens, const std::string& text, int layers, int heads) {
  TensorBundle message;
  const auto count = static_cast<int64_t>(tokens.size());
  message.metadata = {{"kind", "tokens"}, {"request", std::to_string(request)}, {"text", text}, {"pair", ""}, {"has_pair", "0"},
                      {"tokens", nlohmann::json(tokens).dump()}, {"cut_first", "0"}, {"cut_second", "0"},
                      {"layers", std::to_string(layers)}, {"heads", std::to_string(heads)}};
  Tensor<int64_t> ids({count});
  for (int64_t i = 0; i < count; ++i) ids(i) = static_cast<int64_t>(std::hash<std::string>{}(tokens[static_cast<size_t>(i)]) % 30000);
  message.tensors.emplace("ids", AnyTensor::from(ids));
  message.tensors.emplace("segments", AnyTensor::from(Tensor<int64_t>({count})));
  return message;
}

inline TensorBundle layer_message(int64_t request, int layer, int tokens, int heads, const std::string& variant = "value") {
  TensorBundle message;
  message.metadata = {{"kind", "layer"}, {"request", std::to_string(request)}, {"layer", std::to_string(layer)}, {"variant", variant}};
  Tensor<float> raw({heads, tokens, tokens}), effective({heads, tokens, tokens}), rows({heads, tokens}), values({heads, tokens}), each({heads});
  Tensor<int64_t> rank({heads});
  for (int h = 0; h < heads; ++h) {
    rank(h) = tokens - 1;
    each(h) = 0.5f;
    for (int q = 0; q < tokens; ++q) {
      values(h, q) = static_cast<float>(tokens - q);
      for (int k = 0; k < tokens; ++k) {
        raw(h, q, k) = known_raw(layer, h, q, k, tokens);
        effective(h, q, k) = known_effective(layer, h, q, k, tokens);
      }
    }
  }
  const std::string stem = "effective_attention." + variant;
  message.tensors = {{"attention_probs", AnyTensor::from(raw)}, {stem, AnyTensor::from(effective)}, {stem + ".rank", AnyTensor::from(rank)},
                     {stem + ".singular_values", AnyTensor::from(values)}, {stem + ".output_residual_max", AnyTensor::from(each)},
                     {stem + ".pearson", AnyTensor::from(each)}, {stem + ".row_sum", AnyTensor::from(rows)}, {stem + ".cut", AnyTensor::from(each)}};
  return message;
}

inline TensorBundle plain_message(const char* kind, int64_t request) {
  TensorBundle message;
  message.metadata = {{"kind", kind}, {"request", std::to_string(request)}};
  return message;
}

}  // namespace nullscope::support
