#include "session/message_parts.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "io/trace_bundle.h"
#include "model/predictions.h"
#include "nn/linear.h"
#include "session/parity.h"

namespace nullscope::session {
namespace {

TensorBundle message(const char* kind, int64_t request) {
  TensorBundle bundle;
  bundle.metadata["kind"] = kind;
  if (request != 0) bundle.metadata["request"] = std::to_string(request);
  return bundle;
}

// One number, list or map of each head as float, [H, ...].
template <class Get>
AnyTensor gathered(const std::vector<analysis::EffectiveAttention>& heads, Shape inner, Get get) {
  inner.insert(inner.begin(), static_cast<int64_t>(heads.size()));
  Tensor<float> out(std::move(inner));
  float* to = out.data();
  const auto narrow = [](double v) { return static_cast<float>(v); };
  for (const auto& head : heads) {
    const auto values = get(head);
    to = std::transform(values.begin(), values.end(), to, narrow);
  }
  return AnyTensor::from(out);
}

}  // namespace

TensorBundle model_message(const std::string& name, const model::BertWeights& weights, const io::LoadReport& report, bool tokenizer) {
  TensorBundle bundle = message("model", 0);
  const model::BertConfig& c = weights.config;
  bundle.metadata["name"] = name;
  bundle.metadata["config"] = nlohmann::json({{"layers", c.layers}, {"heads", c.heads}, {"hidden", c.hidden},
                                              {"intermediate", c.intermediate}, {"vocabulary", c.vocabulary},
                                              {"positions", c.positions}, {"segments", c.segments}}).dump();
  bundle.metadata["storage"] = storage_of(weights);
  bundle.metadata["tokenizer"] = tokenizer ? "1" : "0";
  bundle.metadata["warnings"] = io::json_list(report.warnings);
  bundle.metadata["no_mlm"] = report.no_mlm;
  bundle.metadata["no_pooler"] = report.no_pooler;
  bundle.metadata["no_nsp"] = report.no_nsp;
  bundle.metadata["no_classifier"] = report.no_classifier;
  return bundle;
}

TensorBundle tokens_message(const Request& request, const text::Encoding& encoding, const model::BertConfig& config) {
  TensorBundle bundle = io::encoding_bundle(encoding);
  bundle.metadata.merge(message("tokens", request.number).metadata);
  bundle.metadata["text"] = request.text;
  bundle.metadata["pair"] = request.pair.value_or("");
  bundle.metadata["layers"] = std::to_string(config.layers);
  bundle.metadata["heads"] = std::to_string(config.heads);
  bundle.metadata["has_pair"] = request.pair ? "1" : "0";
  return bundle;
}

TensorBundle layer_message(const Request& request, int layer, const Tensor<float>& attention_probs,
                           const std::vector<analysis::EffectiveAttention>& heads) {
  using analysis::EffectiveAttention;
  TensorBundle bundle = message("layer", request.number);
  bundle.metadata["layer"] = std::to_string(layer);
  const std::string variant(analysis::effective_variant_name(request.variant)), stem = "effective_attention." + variant;
  bundle.metadata["variant"] = variant;
  bundle.tensors.emplace("attention_probs", AnyTensor::from(attention_probs));
  bundle.tensors.emplace(stem, gathered(heads, heads.front().effective.shape(), [](const EffectiveAttention& h) { return h.effective.values(); }));
  Tensor<int64_t> rank({static_cast<int64_t>(heads.size())});
  std::transform(heads.begin(), heads.end(), rank.data(), [](const EffectiveAttention& h) { return h.rank; });
  bundle.tensors.emplace(stem + ".rank", AnyTensor::from(rank));
  bundle.tensors.emplace(stem + ".singular_values", gathered(heads, {static_cast<int64_t>(heads.front().singular_values.size())},
                                                             [](const EffectiveAttention& h) { return std::span(h.singular_values); }));
  bundle.tensors.emplace(stem + ".row_sum", gathered(heads, {heads.front().effective.dim(0)}, [](const EffectiveAttention& h) { return std::span(h.row_sum); }));
  bundle.tensors.emplace(stem + ".output_residual_max", gathered(heads, {}, [](const EffectiveAttention& h) { return std::span(&h.output_residual_max, 1); }));
  bundle.tensors.emplace(stem + ".pearson", gathered(heads, {}, [](const EffectiveAttention& h) { return std::span(&h.pearson, 1); }));
  bundle.tensors.emplace(stem + ".cut", gathered(heads, {}, [](const EffectiveAttention& h) { return std::span(&h.cut, 1); }));
  return bundle;
}

TensorBundle heads_message(const Request& request, const model::ForwardTrace<float>& trace,
                           const std::vector<model::TopPredictions>& guesses, const text::Vocabulary& vocabulary) {
  TensorBundle bundle = message("heads", request.number);
  if (!guesses.empty()) {
    const auto tokens = static_cast<int64_t>(guesses.size());
    const int64_t count = guesses.front().ids.size();
    Tensor<int64_t> ids({tokens, count});
    Tensor<double> probabilities({tokens, count});
    nlohmann::json rows = nlohmann::json::array();
    for (int64_t t = 0; t < tokens; ++t) {
      const model::TopPredictions& guess = guesses[static_cast<size_t>(t)];
      std::copy_n(guess.ids.data(), count, ids.block(t));
      std::copy_n(guess.probabilities.data(), count, probabilities.block(t));
      nlohmann::json row = nlohmann::json::array();
      for (const int64_t id : guess.ids.values())
        row.push_back(id < vocabulary.size() ? vocabulary.token(static_cast<int>(id)) : "#" + std::to_string(id));
      rows.push_back(std::move(row));
    }
    bundle.metadata["mlm.top10_tokens"] = rows.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    bundle.tensors.emplace("mlm.top10_ids", AnyTensor::from(ids));
    bundle.tensors.emplace("mlm.top10_probabilities", AnyTensor::from(probabilities));
  }
  for (const model::Site site : {model::Site::kNspLogits, model::Site::kClassLogits})
    if (const Tensor<float>* logits = trace.find(site, 0)) bundle.tensors.emplace(model::site_info(site).name, AnyTensor::from(*logits));
  return bundle;
}

TensorBundle done_message(const Request& request, double milliseconds, int threads) {
  TensorBundle bundle = message("done", request.number);
  bundle.metadata["milliseconds"] = std::to_string(milliseconds);
  bundle.metadata["engine"] = nn::instruction_set();
  bundle.metadata["threads"] = std::to_string(threads);
  return bundle;
}

TensorBundle error_message(int64_t request, const char* scope, const Error& error) {
  TensorBundle bundle = message("error", request);
  bundle.metadata["scope"] = scope;
  bundle.metadata["code"] = error_code_name(error.code);
  bundle.metadata["message"] = error.message;
  return bundle;
}

}  // namespace nullscope::session
