#include "io/weight_slots.h"

#include "io/config_limits.h"

namespace nullscope::io {
namespace {

struct Extents {
  Extent hidden, intermediate, vocabulary, positions, segments;
  explicit Extents(const model::BertConfig& c)
      : hidden{c.hidden, kLimits.hidden.key},
        intermediate{c.intermediate, kLimits.intermediate.key},
        vocabulary{c.vocabulary, kLimits.vocabulary.key},
        positions{c.positions, kLimits.positions.key},
        segments{c.segments, kLimits.segments.key} {}
};

void add_linear(std::vector<WeightSlot>& slots, const std::string& name, model::LinearWeights& linear, Extent out,
                Extent in) {
  slots.push_back({name + ".weight", {out, in}, &linear.weight});
  slots.push_back({name + ".bias", {out}, &linear.bias});
}

void add_norm(std::vector<WeightSlot>& slots, const std::string& name, model::LayerNormWeights& norm, Extent width) {
  slots.push_back({name + ".LayerNorm.weight", {width}, &norm.gamma});
  slots.push_back({name + ".LayerNorm.bias", {width}, &norm.beta});
}

}  // namespace

std::vector<WeightSlot> embedding_slots(const model::BertConfig& config, model::EmbeddingWeights& embeddings) {
  const Extents e(config);
  std::vector<WeightSlot> slots{
      {"embeddings.word_embeddings.weight", {e.vocabulary, e.hidden}, &embeddings.word},
      {"embeddings.position_embeddings.weight", {e.positions, e.hidden}, &embeddings.position}};
  if (config.segments > 0)
    slots.push_back({"embeddings.token_type_embeddings.weight", {e.segments, e.hidden}, &embeddings.segment});
  add_norm(slots, "embeddings", embeddings.norm, e.hidden);
  return slots;
}

std::vector<WeightSlot> layer_slots(const model::BertConfig& config, int layer, model::LayerWeights& weights) {
  const Extents e(config);
  const std::string at = "encoder.layer." + std::to_string(layer);
  std::vector<WeightSlot> slots;
  add_linear(slots, at + ".attention.self.query", weights.query, e.hidden, e.hidden);
  add_linear(slots, at + ".attention.self.key", weights.key, e.hidden, e.hidden);
  add_linear(slots, at + ".attention.self.value", weights.value, e.hidden, e.hidden);
  add_linear(slots, at + ".attention.output.dense", weights.self_output, e.hidden, e.hidden);
  add_norm(slots, at + ".attention.output", weights.attention_norm, e.hidden);
  add_linear(slots, at + ".intermediate.dense", weights.intermediate, e.intermediate, e.hidden);
  add_linear(slots, at + ".output.dense", weights.output, e.hidden, e.intermediate);
  add_norm(slots, at + ".output", weights.output_norm, e.hidden);
  return slots;
}

std::vector<WeightSlot> mlm_slots(const model::BertConfig& config, model::MlmHeadWeights& mlm) {
  const Extents e(config);
  std::vector<WeightSlot> slots;
  add_linear(slots, "cls.predictions.transform.dense", mlm.transform, e.hidden, e.hidden);
  add_norm(slots, "cls.predictions.transform", mlm.norm, e.hidden);
  slots.push_back({"cls.predictions.bias", {e.vocabulary}, &mlm.decoder.bias});
  return slots;
}

WeightSlot mlm_decoder_slot(const model::BertConfig& config, model::MlmHeadWeights& mlm) {
  const Extents e(config);
  return {"cls.predictions.decoder.weight", {e.vocabulary, e.hidden}, &mlm.decoder.weight};
}

std::vector<WeightSlot> pooler_slots(const model::BertConfig& config, model::LinearWeights& pooler) {
  const Extents e(config);
  std::vector<WeightSlot> slots;
  add_linear(slots, "pooler.dense", pooler, e.hidden, e.hidden);
  return slots;
}

std::vector<WeightSlot> nsp_slots(const model::BertConfig& config, model::LinearWeights& nsp) {
  std::vector<WeightSlot> slots;
  add_linear(slots, "cls.seq_relationship", nsp, {2, "next or not"}, Extents(config).hidden);
  return slots;
}

std::vector<WeightSlot> classifier_slots(const model::BertConfig& config, model::LinearWeights& classifier,
                                         int64_t classes) {
  std::vector<WeightSlot> slots;
  add_linear(slots, "classifier", classifier, {classes, "classes"}, Extents(config).hidden);
  return slots;
}

}  // namespace nullscope::io
