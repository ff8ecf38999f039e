// The tensors of a BERT model: one table of names and shapes for loading and writing.
//
// Names are Hugging Face's without the prefix "bert.": "encoder.layer.3.output.dense.bias".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/weights.h"

namespace nullscope::io {

struct Extent {
  int64_t size = 0;
  std::string_view meaning;  // the key of config.json that sets it, or a plain word
};

struct WeightSlot {
  std::string name;
  std::vector<Extent> shape;
  model::Weight* weight = nullptr;
};

std::vector<WeightSlot> embedding_slots(const model::BertConfig& config, model::EmbeddingWeights& embeddings);
std::vector<WeightSlot> layer_slots(const model::BertConfig& config, int layer, model::LayerWeights& weights);
// Without the decoder's weight, which may be the word embedding.
std::vector<WeightSlot> mlm_slots(const model::BertConfig& config, model::MlmHeadWeights& mlm);
WeightSlot mlm_decoder_slot(const model::BertConfig& config, model::MlmHeadWeights& mlm);
std::vector<WeightSlot> pooler_slots(const model::BertConfig& config, model::LinearWeights& pooler);
std::vector<WeightSlot> nsp_slots(const model::BertConfig& config, model::LinearWeights& nsp);
std::vector<WeightSlot> classifier_slots(const model::BertConfig& config, model::LinearWeights& classifier,
                                         int64_t classes);

}  // namespace nullscope::io
