#include <doctest/doctest.h>

#include "text/vocabularies.h"
#include "text/words.h"

namespace nullscope::text {
namespace {

using Strings = std::vector<std::string>;

const Tokenizer& tokenizer() {
  static const Tokenizer t(test::small_vocabulary({"play", "##ing", "cafe", "."}), {});
  return t;
}

TEST_CASE("pieces of a word are one range; words of two texts never join") {
  const auto e = tokenizer().encode("playing cafe", "cafe.");
  REQUIRE(e);
  CHECK(word_ranges(*e) ==
        std::vector<WordRange>{{0, 1}, {1, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}});
  EncodeOptions bare;
  bare.add_special = false;
  CHECK(word_ranges(*tokenizer().encode("cafe", "cafe", bare)) == std::vector<WordRange>{{0, 1}, {1, 2}});
}

TEST_CASE("the reader's own spelling") {
  const std::string first = "PLAYing  Xyzzy", second = "Caf\xC3\xA9\xFF.";
  const auto e = tokenizer().encode(first, second);
  REQUIRE(e);
  CHECK(e->tokens == Strings{"[CLS]", "play", "##ing", "[UNK]", "[SEP]", "cafe", ".", "[SEP]"});
  CHECK(original_spellings(*e, first, second) ==
        Strings{"[CLS]", "PLAY", "ing", "Xyzzy", "[SEP]", "Caf\xC3\xA9", ".", "[SEP]"});
  CHECK(original_spellings(*e, word_ranges(*e), first, second) ==
        Strings{"[CLS]", "PLAYing", "Xyzzy", "[SEP]", "Caf\xC3\xA9", ".", "[SEP]"});
}

TEST_CASE("a spelling is well-formed whatever was typed") {
  const std::string text = "pl\xFFz";
  const auto e = tokenizer().encode(text);
  CHECK(original_spellings(*e, text, {})[1] == "pl\xEF\xBF\xBDz");
}

}  // namespace
}  // namespace nullscope::text
