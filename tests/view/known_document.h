// A document that shows a text of `tokens` tokens whose maps are those of support/messages.h.
#pragma once

#include <doctest/doctest.h>

#include "session/document.h"
#include "support/messages.h"

namespace nullscope::view {

inline void show_known_text(session::Document& document, int tokens, int layers = 2, int heads = 3) {
  std::vector<std::string> names = {"[CLS]"};
  for (int i = 1; i + 1 < tokens; ++i) names.push_back("t" + std::to_string(i));
  names.push_back("[SEP]");
  const int64_t number = document.ask("known", std::nullopt).number;
  REQUIRE(document.receive(support::tokens_message(number, names, "known", layers, heads)));
  for (int layer = 0; layer < layers; ++layer) REQUIRE(document.receive(support::layer_message(number, layer, tokens, heads)));
}

}  // namespace nullscope::view
