// An engine with the toy model whose messages are kept.
#pragma once

#include <string>
#include <vector>

#include "session/engine.h"
#include "support/files.h"
#include "support/toy.h"

namespace nullscope::test {

inline io::LoadedModel toy_model() {
  Result<io::LoadedModel> toy = io::load_model(io::folder_source(data_path("golden/toy")));
  REQUIRE_MESSAGE(toy, toy.error().message);
  return *std::move(toy);
}

class Listener {
 public:
  explicit Listener(int threads = 1) : engine([this](TensorBundle message) { messages.push_back(std::move(message)); }, threads) {}

  void ask(int64_t number, const std::string& text,
           analysis::EffectiveVariant variant = analysis::EffectiveVariant::kValue, std::optional<double> cut = std::nullopt) {
    engine.submit({number, text, std::nullopt, variant, cut});
  }
  void run() {
    while (engine.step()) {
    }
  }
  // Steps until the last message is of this kind.
  void run_until(const std::string& kind) {
    while (messages.empty() || messages.back().metadata["kind"] != kind) REQUIRE_MESSAGE(engine.step(), "no message of kind " << kind);
  }

  // "tokens layer.0 layer.1 heads done"
  std::string kinds() const {
    std::string text;
    for (const TensorBundle& message : messages) {
      if (!text.empty()) text += " ";
      text += message.metadata.at("kind");
      if (message.metadata.contains("layer")) text += "." + message.metadata.at("layer");
    }
    return text;
  }
  const TensorBundle& only(const std::string& kind, const std::string& layer = "") const {
    const TensorBundle* found = nullptr;
    for (const TensorBundle& message : messages)
      if (message.metadata.at("kind") == kind && (layer.empty() || message.metadata.at("layer") == layer)) {
        REQUIRE_MESSAGE(found == nullptr, "more than one message of kind " << kind);
        found = &message;
      }
    REQUIRE_MESSAGE(found != nullptr, "no message of kind " << kind);
    return *found;
  }

  std::vector<TensorBundle> messages;
  session::Engine engine;
};

inline constexpr const char* kShortText = "the cat sat on the [MASK].";

}  // namespace nullscope::test
