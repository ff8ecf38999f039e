// Checkpoints: BertWeights from safetensors shards, in one go or as the shards arrive,
// and from TensorFlow tensor bundles. Needs no file system: callers hand over bytes.
//
// A tensor is found under any of the prefixes bert., none, module., model.,
// 0.auto_model. and their repetitions; layer norms may be called gamma/beta; TensorFlow
// names are translated. What was found, guessed, ignored or is missing is in the report.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/bytes.h"
#include "model/weights.h"

namespace nullscope::io {

struct SourceTensor;

struct LoadReport {
  std::vector<std::string> warnings;  // sentences for the user
  std::vector<std::string> unused;    // tensors in the files that the model has no use for
  // Heads that are off, with the reason; empty reason = present.
  std::string no_mlm, no_pooler, no_nsp, no_classifier;
  bool config_guessed = false;        // sizes were taken from the tensors
};

struct LoadOptions {
  bool keep_double = false;  // F64 tensors stay F64, for tests
};

// Collects shards; weights become usable layer by layer.
class CheckpointLoader {
 public:
  // `config_json`: the text of config.json, nullopt when there is none (sizes are then
  // guessed from the tensors and reported). `index_json`: model.safetensors.index.json,
  // nullopt for a single file.
  static Result<CheckpointLoader> start(std::optional<std::string_view> config_json,
                                        std::optional<std::string_view> index_json, LoadOptions options = {});

  // Shard file names that are still to come; a single "model.safetensors" without an index.
  std::vector<std::string> missing_shards() const;

  // Takes a whole safetensors file. F16 and F32 tensors that are aligned stay in its buffer.
  Status add_shard(std::string_view name, Bytes bytes);

  // The tensors of one file of another format; `file` is used in messages.
  Status add_tensors(std::string_view file, std::vector<SourceTensor> tensors);

  // The weights so far: embeddings and layers appear as their tensors land.
  const model::BertWeights& weights() const;

  // Checks that nothing needed is missing and every needed number is finite.
  Status finish();
  const LoadReport& report() const;
  model::BertWeights take() &&;

  CheckpointLoader(CheckpointLoader&&) noexcept;
  CheckpointLoader& operator=(CheckpointLoader&&) noexcept;
  ~CheckpointLoader();

 private:
  struct State;
  explicit CheckpointLoader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nullscope::io
