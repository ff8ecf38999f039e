#include <doctest/doctest.h>

#include "text/vocabularies.h"

namespace nullscope::text {
namespace {

TEST_CASE("without a special token that encoding needs there is no vocabulary") {
  for (const std::string needed : {"[UNK]", "[CLS]", "[SEP]"}) {
    std::vector<std::string> tokens = {"[UNK]", "[CLS]", "[SEP]", "a"};
    std::erase(tokens, needed);
    const auto v = Vocabulary::from_tokens(tokens);
    REQUIRE(!v);
    CHECK(v.error().code == ErrorCode::kMissing);
    CHECK(v.error().message.find(needed) != std::string::npos);
  }
}

TEST_CASE("[PAD] and [MASK] may be absent, and then are plain text") {
  const auto v = Vocabulary::from_tokens({"[UNK]", "[CLS]", "[SEP]"});
  REQUIRE(v);
  CHECK(!v->pad_id());
  CHECK(!v->mask_id());
  CHECK(!v->special_start("[MASK]"));
  CHECK(v->special_start("[SEP]x")->id == 2);
}

TEST_CASE("of a piece that is there twice the last number counts, both print") {
  const Vocabulary v = test::small_vocabulary({"a", "b", "a", "##a", "##a"});
  CHECK(v.find("a") == 7);
  CHECK(v.token(5) == "a");
  CHECK(v.longest_start("ab")->id == 7);
  CHECK(v.longest_continuation("ab")->id == 9);
}

TEST_CASE("the longest piece wins; an empty one never matches") {
  const Vocabulary v = test::small_vocabulary({"", "un", "una", "##aff", "##", "##a"});
  CHECK(v.longest_start("unaffable")->id == 7);
  CHECK(v.longest_start("unaffable")->bytes == 3);
  CHECK(v.longest_start("un")->id == 6);
  CHECK(v.longest_continuation("affable")->id == 8);
  CHECK(v.longest_continuation("affable")->bytes == 3);
  CHECK(!v.longest_continuation("xyz"));
  CHECK(!v.longest_start("xyz"));
  CHECK(!v.longest_start(""));
  CHECK(!v.find(""));
}

TEST_CASE("special tokens under other names") {
  SpecialTokens names{.unknown = "<unk>", .classify = "<s>", .separate = "</s>", .pad = "", .mask = "<m>", .added = {}};
  const auto v = Vocabulary::from_tokens({"<s>", "</s>", "<unk>", "<m>", "[CLS]"}, names);
  REQUIRE(v);
  CHECK(v->classify_id() == 0);
  CHECK(v->separate_id() == 1);
  CHECK(v->unknown_id() == 2);
  CHECK(v->mask_id() == 3);
  CHECK(!v->pad_id());
  CHECK(v->special_start("<s>")->id == 0);
  CHECK(!v->special_start("[CLS]"));
}

}  // namespace
}  // namespace nullscope::text
