// Every code point against unicode_classes.json itself.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/files.h"
#include "text/unicode.h"
#include "text/vocabularies.h"

namespace nullscope::text {
namespace {

using Json = nlohmann::json;
constexpr char32_t kEnd = 0x110000;

const Json& classes() {
  static const Json json = test::read_json("cases/unicode_classes.json");
  return json;
}

std::vector<bool> members(const char* key) {
  std::vector<bool> is(kEnd);
  for (const Json& range : classes()[key])
    for (char32_t c = range[0].get<char32_t>(); c <= range[1].get<char32_t>(); ++c) is[c] = true;
  return is;
}

std::map<char32_t, std::vector<char32_t>> mapping(const char* key) {
  std::map<char32_t, std::vector<char32_t>> to;
  for (const Json& row : classes()[key]) {
    auto values = row.get<std::vector<char32_t>>();
    const char32_t from = values.front();
    values.erase(values.begin());
    to[from] = values;
  }
  return to;
}

std::vector<char32_t> list(const Mapped& m) { return {m.all().begin(), m.all().end()}; }

int differing(const char* key, bool (*is)(char32_t)) {
  const std::vector<bool> expected = members(key);
  int count = 0;
  for (char32_t c = 0; c < kEnd; ++c) count += is(c) != expected[c];
  return count;
}

TEST_CASE("classes") {
  REQUIRE(classes().is_object());
  CHECK(differing("dropped", is_dropped) == 0);
  CHECK(differing("space", is_space) == 0);
  CHECK(differing("cjk", is_cjk) == 0);
  CHECK(differing("punctuation", is_punctuation) == 0);
  CHECK(differing("split_space", splits_words) == 0);
}

TEST_CASE("lower-casing") {
  const auto expected = mapping("lower");
  int differ = 0;
  for (char32_t c = 0; c < kEnd; ++c) {
    const auto row = expected.find(c);
    differ += list(lower_case(c)) != (row == expected.end() ? std::vector{c} : row->second);
  }
  CHECK(differ == 0);
}

TEST_CASE("accents") {
  const auto expected = mapping("strip_accents");
  const std::vector<bool> gone = members("nonspacing");
  int differ = 0;
  for (char32_t c = 0; c < kEnd; ++c) {
    if (c == 0xAC00) c = 0xD7A4;  // Hangul, below
    const auto row = expected.find(c);
    const std::vector<char32_t> want = gone[c]                 ? std::vector<char32_t>{}
                                       : row == expected.end() ? std::vector{c}
                                                               : row->second;
    differ += list(without_accents(c)) != want;
  }
  CHECK(differ == 0);
}

TEST_CASE("Hangul syllables become jamo") {
  CHECK(list(without_accents(0xAC00)) == std::vector<char32_t>{0x1100, 0x1161});
  CHECK(list(without_accents(0xD55C)) == std::vector<char32_t>{0x1112, 0x1161, 0x11AB});
  CHECK(list(without_accents(0xD7A3)) == std::vector<char32_t>{0x1112, 0x1175, 0x11C2});
}

}  // namespace
}  // namespace nullscope::text
