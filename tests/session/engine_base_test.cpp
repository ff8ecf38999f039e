// The engine with BERT-Base on the page's first text.
#include "session/default_text.h"
#include "session/engine.h"
#include "support/files.h"
#include "support/golden.h"
#include "support/model_paths.h"

using namespace nullscope;
using namespace nullscope::test;

TEST_CASE("BERT-Base guesses the word of the first text, and no step is long") {
  const auto model = io::load_model(io::folder_source(model_folder(Storage::kF16)));
  REQUIRE_MESSAGE(model, model.error().message);
  std::vector<TensorBundle> messages;
  session::Engine engine([&](TensorBundle message) { messages.push_back(std::move(message)); }, 1);
  engine.use_model("base", *model);
  engine.submit({1, session::kDefaultText, std::nullopt, analysis::EffectiveVariant::kValue, std::nullopt});
  while (engine.step()) {
  }
  REQUIRE(messages.size() == 1 + 1 + 12 + 2);
  const auto tokens = nlohmann::json::parse(messages[1].metadata["tokens"]);
  CHECK(tokens.size() == 106);
  const auto guesses = nlohmann::json::parse(messages[14].metadata["mlm.top10_tokens"]);
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] == "[MASK]") CHECK(guesses[i][0] == "door");
  const auto rank = integers(messages[2], "effective_attention.value.rank");
  for (const int64_t r : rank.values()) CHECK(r == 64);  // 106 tokens, 64 channels: there is a null space
}
