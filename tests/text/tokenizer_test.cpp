// What the cases of cases/tokenization.json do not hold.
#include <doctest/doctest.h>

#include "text/vocabularies.h"

namespace nullscope::text {
namespace {

using Ids = std::vector<int>;

TEST_CASE("word limit: at the limit a word is split, above it is [UNK] as a whole") {
  const Tokenizer t(test::small_vocabulary({"a", "##a"}), {.strip_accents = {}, .max_characters_per_word = 3});
  CHECK(t.encode("aaa")->ids == Ids{2, 5, 6, 6, 3});
  const auto e = t.encode("  aaaaaa a");
  CHECK(e->ids == Ids{2, 1, 5, 3});
  CHECK(e->offsets[1] == Span{2, 8});
  CHECK(e->words == Ids{kFrame, 0, 1, kFrame});
}

TEST_CASE("added special tokens are matched before splitting, the longest first") {
  const Tokenizer t(test::small_vocabulary({"[E1]", "[E1][", "e", "##1", "a", "[", "]"}, {.added = {"[E1]", "[E1]["}}), {});
  CHECK(t.encode("a[E1]a")->ids == Ids{2, 9, 5, 9, 3});
  CHECK(t.encode("[E1][")->ids == Ids{2, 6, 3});
  CHECK(t.encode("[e1]")->ids == Ids{2, 10, 7, 8, 11, 3});
  EncodeOptions plain;
  plain.parse_special = false;
  CHECK(t.encode("[E1]", {}, plain)->ids == Ids{2, 10, 7, 8, 11, 3});
}

TEST_CASE("offsets count a byte that is not UTF-8 as one code point") {
  const Tokenizer t(test::small_vocabulary({"a", "b"}), {});
  const auto e = t.encode("\xFF a\xE2\x82 b");
  CHECK(e->ids == Ids{2, 5, 6, 3});
  CHECK(e->offsets[1] == Span{2, 3});
  CHECK(e->offsets[2] == Span{6, 7});
}

TEST_CASE("limits are refused with a sentence") {
  const Tokenizer t(test::small_vocabulary({"a"}), {});
  EncodeOptions options;
  options.max_length = 1;
  CHECK(t.encode("a", {}, options).error().code == ErrorCode::kBadOption);
  options.max_length = 2;
  CHECK(t.encode("a", {}, options)->ids == Ids{2, 3});
  CHECK(t.encode("a", "a", options).error().code == ErrorCode::kBadOption);
  options.add_special = false;
  options.max_length = -1;
  CHECK(t.encode("a", {}, options).error().code == ErrorCode::kBadOption);
  const std::string too_long(Tokenizer::kMaxTextBytes + 1, 'a');
  CHECK(t.encode(too_long).error().code == ErrorCode::kTooLarge);
  CHECK(t.encode("a", too_long).error().code == ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace nullscope::text
