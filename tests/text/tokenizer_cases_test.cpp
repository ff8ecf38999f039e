// Every record of tests/cases/tokenization.json and tokenization_fuzz.json, made with the
// reference implementation: ids, tokens, segments, offsets, words, cuts.
#include <doctest/doctest.h>

#include <map>

#include <nlohmann/json.hpp>

#include "support/files.h"
#include "text/tokenizer.h"

using namespace nullscope;
using Json = nlohmann::json;

namespace {

text::Vocabulary vocabulary(const std::string& name) {
  std::vector<std::string> lines = test::read_lines("cases/vocab/" + name + ".txt");
  return text::Vocabulary::from_tokens(std::move(lines)).value();
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::vector<int> ints_or_frame(const Json& list) {
  std::vector<int> out;
  for (const Json& item : list) out.push_back(item.is_null() ? text::kFrame : item.get<int>());
  return out;
}

text::TokenizerOptions tokenizer_options(const Json& o) {
  text::TokenizerOptions options;
  options.lowercase = o["lowercase"];
  if (!o["strip_accents"].is_null()) options.strip_accents = o["strip_accents"].get<bool>();
  options.clean_text = o["clean_text"];
  options.chinese_chars = o["chinese_chars"];
  return options;
}

text::EncodeOptions encode_options(const Json& o) {
  text::EncodeOptions options;
  options.parse_special = o["parse_special"];
  options.add_special = o["add_special"];
  if (!o["max_length"].is_null()) options.max_length = o["max_length"].get<int>();
  const std::string how = o.value("strategy", "longest_first");
  options.truncation = how == "only_first"    ? text::Truncation::kOnlyFirst
                       : how == "only_second" ? text::Truncation::kOnlySecond
                                              : text::Truncation::kLongestFirst;
  return options;
}

}  // namespace

TEST_CASE("every tokenization record") {
  const Json file = test::read_json("cases/tokenization.json");
  std::map<std::string, text::Vocabulary> vocabularies;
  for (const char* name : {"uncased", "cased", "multilingual"}) vocabularies.emplace(name, vocabulary(name));
  int records = 0;
  for (const Json& record : file["cases"]) {
    CAPTURE(record["id"].get<std::string>());
    const text::Tokenizer tokenizer(vocabularies.at(record["vocab"]), tokenizer_options(record["options"]));
    const std::string text = record.contains("bytes_hex") ? bytes_of_hex(record["bytes_hex"]) : record["text"].get<std::string>();
    std::optional<std::string> pair;
    if (!record["pair"].is_null()) pair = record["pair"].get<std::string>();
    const auto encoding = tokenizer.encode(text, pair, encode_options(record["options"]));
    REQUIRE(encoding);
    CHECK(encoding->ids == record["ids"].get<std::vector<int>>());
    CHECK(encoding->tokens == record["tokens"].get<std::vector<std::string>>());
    CHECK(encoding->segments == record["type_ids"].get<std::vector<int>>());
    CHECK(encoding->sequence == ints_or_frame(record["sequence"]));
    CHECK(encoding->words == ints_or_frame(record["words"]));
    for (size_t i = 0; i < encoding->ids.size(); ++i) CHECK((encoding->sequence[i] == text::kFrame) == (record["special"][i] == 1));
    if (!record["offsets"].is_null()) {
      Json offsets = Json::array();
      for (const text::Span span : encoding->offsets) offsets.push_back({span.begin, span.end});
      CHECK(offsets == record["offsets"]);
    }
    if (record.contains("cut") && !record["cut"].is_null()) {
      CHECK(encoding->cut_first == record["cut"][0]);
      CHECK(encoding->cut_second == record["cut"][1]);
    }
    ++records;
  }
  CHECK(records == 433);
}

TEST_CASE("a thousand random strings over all scripts") {
  const Json file = test::read_json("cases/tokenization_fuzz.json");
  const text::Tokenizer tokenizer(vocabulary(file["vocab"]), {});
  int records = 0;
  for (const Json& record : file["cases"]) {
    const auto encoding = tokenizer.encode(record["text"].get<std::string>());
    REQUIRE(encoding);
    CHECK(encoding->ids == record["ids"].get<std::vector<int>>());
    ++records;
  }
  CHECK(records == 1000);
}

TEST_CASE("what cannot be done is refused") {
  const text::Tokenizer tokenizer(vocabulary("uncased"), {});
  text::EncodeOptions options;
  options.max_length = 1;
  const auto too_short = tokenizer.encode("one two", std::nullopt, options);
  REQUIRE(!too_short);
  CHECK(too_short.error().code == ErrorCode::kBadOption);
  options.max_length = 4;
  options.truncation = text::Truncation::kOnlySecond;
  CHECK(!tokenizer.encode("one two three four", "five", options));
  options.truncation = text::Truncation::kOnlyFirst;
  const auto cut = tokenizer.encode("one two three four", "five", options);
  REQUIRE(cut);
  CHECK(cut->cut_first == 4);
  const auto huge = tokenizer.encode(std::string(text::Tokenizer::kMaxTextBytes + 1, 'a'));
  REQUIRE(!huge);
  CHECK(huge.error().code == ErrorCode::kTooLarge);
}

TEST_CASE("hostile lengths stay linear") {
  const text::Tokenizer tokenizer(vocabulary("uncased"), {});
  std::string marks = "a";
  for (int i = 0; i < 200000; ++i) marks += "\xCC\x81";
  CHECK(tokenizer.encode(marks)->ids == std::vector<int>{101, 1037, 102});
  CHECK(tokenizer.encode(std::string(1000000, 'x'))->ids == std::vector<int>{101, 100, 102});
  CHECK(tokenizer.encode(std::string(300000, '['))->tokens_count() == 300002);
}
