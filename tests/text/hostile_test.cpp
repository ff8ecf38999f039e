// Long and repetitive text must cost in proportion to its length. Each takes a fraction of a
// second when it does, and minutes when something is quadratic.
#include <doctest/doctest.h>

#include <chrono>

#include "support/tolerances.h"
#include "text/vocabularies.h"
#include "text/words.h"

namespace nullscope::text {
namespace {

constexpr int kMillion = 1'000'000;

std::string repeated(std::string_view what, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += what;
  return out;
}

TEST_CASE("a million of anything") {
  const Tokenizer uncased(*test::published_vocabulary("uncased"), {});
  struct Case {
    const char* name;
    std::string text;
    int tokens;
  };
  for (const Case& c : {Case{"letters", repeated("a", kMillion), 3}, Case{"words", repeated("a ", kMillion), kMillion + 2},
                        Case{"marks on one letter", repeated("a", 1).append(repeated("\xCC\x81", kMillion)), 3},
                        Case{"brackets", repeated("[", kMillion), kMillion + 2},
                        Case{"almost special", repeated("[MASK", kMillion / 5), 2 + 2 * (kMillion / 5)},
                        Case{"special", repeated("[MASK]", kMillion / 5), 2 + kMillion / 5},
                        Case{"ideographs", repeated("\xE4\xBA\xAC", kMillion), kMillion + 2},
                        Case{"bytes that are not UTF-8", repeated("\xFF", kMillion), 2},
                        Case{"words of a hundred letters", repeated(std::string(100, 'q') + " ", kMillion / 100), -1}}) {
    CAPTURE(c.name);
    const auto start = std::chrono::steady_clock::now();
    const auto e = uncased.encode(c.text);
    REQUIRE(e);
    if (c.tokens >= 0) CHECK(e->tokens_count() == c.tokens);
    CHECK(original_spellings(*e, word_ranges(*e), c.text, {}).size() == word_ranges(*e).size());
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < test::kHostileTextSeconds);
  }
}

TEST_CASE("no word limit and a vocabulary with one enormous piece") {
  const Tokenizer t(test::small_vocabulary({"a", "##a", repeated("##", 1).append(20000, 'a').append("b")}),
                    {.strip_accents = {}, .max_characters_per_word = kMillion});
  const auto start = std::chrono::steady_clock::now();
  const auto e = t.encode(std::string(100'000, 'a'));
  REQUIRE(e);
  CHECK(e->tokens_count() == 100'002);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < test::kHostileTextSeconds);
}

}  // namespace
}  // namespace nullscope::text
