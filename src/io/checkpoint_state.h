// What CheckpointLoader knows while shards arrive; its own files only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/checkpoint.h"
#include "io/guessed_config.h"
#include "io/shard_index.h"
#include "io/source_tensor.h"

namespace nullscope::io {

struct CheckpointLoader::State {
  LoadOptions options;
  bool has_config = false;
  bool tied = true;  // the word embedding decodes, whatever else the file holds
  std::optional<ShardIndex> index;
  std::set<std::string, std::less<>> shards_to_come;
  std::string first_unknown;  // a tensor name that is no BERT name, for the refusal
  std::string last_file;
  FoundTensors found;         // by canonical name
  std::set<std::string> used;
  model::BertWeights weights;
  LoadReport report;

  void set_config(model::BertConfig config) {
    weights.config = std::move(config);
    weights.layers.resize(static_cast<size_t>(weights.config.layers));
    has_config = true;
  }
  Status take(SourceTensor tensor);
  // Fills the slots whose tensors are here; true when all of them are filled.
  Result<bool> fill(const std::vector<WeightSlot>& slots);
  Status place();
  template <class Slots>
  Status place_head(std::optional<model::LinearWeights>& head, Slots slots);
  Status place_mlm();
  Status place_decoder(model::MlmHeadWeights& mlm);
  Status check_complete();
  void explain_heads();
  void list_unused();
};

}  // namespace nullscope::io
