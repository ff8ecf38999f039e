// From tensors found to weights in their places.
#include <cstring>

#include "io/checkpoint_state.h"
#include "io/tensor_names.h"

namespace nullscope::io {

Status CheckpointLoader::State::take(SourceTensor tensor) {
  if (is_bookkeeping(tensor.name)) return {};
  auto name = tensor_name(tensor.name);
  if (!name) {
    if (first_unknown.empty()) first_unknown = tensor.name;
    report.unused.push_back(std::move(tensor.name));
    return {};
  }
  tensor.transposed = name->transposed;
  const auto [it, fresh] = found.try_emplace(std::move(name->canonical), tensor);
  if (fresh) return {};
  const SourceTensor& first = it->second;
  if (first.dtype == tensor.dtype && first.shape == tensor.shape && first.bytes.text() == tensor.bytes.text()) return {};
  return fail(ErrorCode::kBadFormat,
              first.name + " and " + tensor.name + " are the same parameter with different values");
}

Result<bool> CheckpointLoader::State::fill(const std::vector<WeightSlot>& slots) {
  bool complete = true;
  for (const WeightSlot& slot : slots) {
    if (slot.weight->present()) continue;
    const auto it = found.find(slot.name);
    if (it == found.end()) {
      complete = false;
      continue;
    }
    auto weight = to_weight(it->second, slot, options.keep_double);
    if (!weight) return std::unexpected(std::move(weight.error()));
    *slot.weight = std::move(*weight);
    used.insert(slot.name);
  }
  return complete;
}

// A layer becomes visible all at once: `layer_ready` looks at one of its tensors only.
Status CheckpointLoader::State::place() {
  if (!has_config) return {};
  const auto embeddings = fill(embedding_slots(weights.config, weights.embeddings));
  if (!embeddings) return std::unexpected(embeddings.error());
  for (int layer = 0; layer < weights.config.layers; ++layer) {
    model::LayerWeights& target = weights.layers[static_cast<size_t>(layer)];
    if (weights.layer_ready(layer)) continue;
    model::LayerWeights arriving;
    const auto complete = fill(layer_slots(weights.config, layer, arriving));
    if (!complete) return std::unexpected(complete.error());
    if (*complete) target = std::move(arriving);
  }
  NULLSCOPE_TRY(place_head(weights.pooler, [&](auto& w) { return pooler_slots(weights.config, w); }));
  NULLSCOPE_TRY(place_head(weights.nsp, [&](auto& w) { return nsp_slots(weights.config, w); }));
  if (const auto it = found.find("classifier.weight"); it != found.end() && it->second.rows() > 0)
    NULLSCOPE_TRY(place_head(weights.classifier,
                             [&](auto& w) { return classifier_slots(weights.config, w, it->second.rows()); }));
  return place_mlm();
}

template <class Slots>
Status CheckpointLoader::State::place_head(std::optional<model::LinearWeights>& head, Slots slots) {
  if (head) return {};
  model::LinearWeights arriving;
  const auto complete = fill(slots(arriving));
  if (!complete) return std::unexpected(complete.error());
  if (*complete) head = std::move(arriving);
  return {};
}

// Waits for every shard, since a decoder of its own may be in the last one.
Status CheckpointLoader::State::place_mlm() {
  if (weights.mlm || !shards_to_come.empty() || !weights.embeddings.word.present()) return {};
  model::MlmHeadWeights arriving;
  const auto complete = fill(mlm_slots(weights.config, arriving));
  if (!complete) return std::unexpected(complete.error());
  if (!*complete) return {};
  NULLSCOPE_TRY(place_decoder(arriving));
  weights.mlm = std::move(arriving);
  return {};
}

Status CheckpointLoader::State::place_decoder(model::MlmHeadWeights& mlm) {
  const model::Weight& word = weights.embeddings.word;
  const auto filled = fill({mlm_decoder_slot(weights.config, mlm)});
  if (!filled) return std::unexpected(filled.error());
  model::Weight& decoder = mlm.decoder.weight;
  if (!*filled) {
    if (!tied)
      report.warnings.push_back(
          "config.json says tie_word_embeddings false, but there is no cls.predictions.decoder.weight: "
          "the word embedding decodes");
    decoder = word;
    return {};
  }
  const bool same = decoder.view().type == word.view().type &&
                    std::memcmp(decoder.view().data, word.view().data, byte_size(word.view())) == 0;
  if (!same && tied)
    report.warnings.push_back(
        "cls.predictions.decoder.weight differs from the word embedding and is not used, since config.json "
        "does not say tie_word_embeddings false");
  if (same || tied) decoder = word;
  return {};
}

}  // namespace nullscope::io
