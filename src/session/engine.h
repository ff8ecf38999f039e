// Engine: turns requests into messages, a small step at a time. The page's worker and the
// desktop's thread run the same code: submit(), then step() while it says there is work,
// looking for new requests between steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/tensor_bundle.h"
#include "io/checkpoint.h"
#include "io/model_files.h"
#include "nn/parallel.h"
#include "session/messages.h"
#include "text/tokenizer.h"

namespace nullscope::session {

class Engine {
 public:
  using Send = std::function<void(TensorBundle)>;
  // `threads` counts all; 1 unless the program has more.
  Engine(Send send, int threads);
  ~Engine();

  // A new model begins to arrive; what ran is dropped. The loader is owned by the engine, so
  // that layers can be used as they land.
  void begin_model(std::string name, io::CheckpointLoader loader, std::optional<text::Tokenizer> tokenizer);
  // Hands a shard to the loader; sends "error" (scope "model") when it is refused.
  bool add_shard(std::string_view name, io::Bytes bytes);
  // All shards are in: checks, then sends "model".
  bool finish_model();
  // The loader that is taking shards; nullptr without one.
  const io::CheckpointLoader* loader() const;
  // A model that is whole already; sends "model".
  void use_model(std::string name, io::LoadedModel model);

  // The newest request replaces a running one at the next step. A text that is the same as the
  // last one's keeps its trace: only what the other options change is computed again.
  void submit(Request request);
  // One piece of work, a few tens of milliseconds at most for texts of some hundred tokens. False
  // when there is nothing to do now (idle, or waiting for a layer).
  bool step();
  // Drops what runs or waits; nothing is sent for it any more.
  void stop();
  // The weights in use, nullptr without a whole model.
  const model::BertWeights* weights() const;
  const nn::Parallel& parallel() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nullscope::session
