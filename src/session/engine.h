// Engine: turns requests into messages, a small step at a time. The page's worker and the
// desktop's thread run the same code: submit(), then step() while it says there is work,
// looking for new requests between steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/tensor_bundle.h"
#include "io/checkpoint.h"
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

  // The newest request replaces a running one.
  void submit(Request request);
  // One bounded piece of work. False when there is nothing to do now (idle, or waiting for a layer).
  bool step();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nullscope::session
