// Every record of cases/tokenization.json and tokenization_fuzz.json, field by field.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "text/vocabularies.h"

namespace nullscope::text {
namespace {

using Json = nlohmann::json;

const Vocabulary& vocabulary(const std::string& name) {
  static std::map<std::string, Vocabulary> read;
  auto found = read.find(name);
  if (found == read.end()) {
    auto v = test::published_vocabulary(name);
    REQUIRE(v);
    found = read.emplace(name, std::move(*v)).first;
  }
  return found->second;
}

TokenizerOptions tokenizer_options(const Json& options) {
  TokenizerOptions out{.lowercase = options["lowercase"].get<bool>(),
                       .strip_accents = {},
                       .clean_text = options["clean_text"].get<bool>(),
                       .chinese_chars = options["chinese_chars"].get<bool>()};
  if (!options["strip_accents"].is_null()) out.strip_accents = options["strip_accents"].get<bool>();
  return out;
}

EncodeOptions encode_options(const Json& options) {
  const std::map<std::string, Truncation> strategies = {{"longest_first", Truncation::kLongestFirst},
                                                        {"only_first", Truncation::kOnlyFirst},
                                                        {"only_second", Truncation::kOnlySecond}};
  EncodeOptions out{.parse_special = options["parse_special"].get<bool>(),
                    .add_special = options["add_special"].get<bool>(),
                    .max_length = {},
                    .truncation = strategies.at(options.value("strategy", "longest_first"))};
  if (!options["max_length"].is_null()) out.max_length = options["max_length"].get<int>();
  return out;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

Result<Encoding> encode(const Json& record, const std::string& vocab, const Json& options) {
  const Tokenizer tokenizer(vocabulary(vocab), tokenizer_options(options));
  const std::string text = record.contains("bytes_hex") ? from_hex(record["bytes_hex"].get<std::string>())
                                                        : record["text"].get<std::string>();
  std::optional<std::string> pair;
  if (record.contains("pair") && !record["pair"].is_null()) pair = record["pair"].get<std::string>();
  return tokenizer.encode(text, pair, encode_options(options));
}

// kFrame as null, as the records have it.
Json with_nulls(const std::vector<int>& numbers) {
  Json out = Json::array();
  for (const int n : numbers) out.push_back(n == kFrame ? Json() : Json(n));
  return out;
}

TEST_CASE("tokenization.json") {
  const Json file = test::read_json("cases/tokenization.json");
  REQUIRE(file["cases"].size() == 433);
  for (const Json& record : file["cases"]) {
    CAPTURE(record["id"].get<std::string>());
    const auto e = encode(record, record["vocab"].get<std::string>(), record["options"]);
    REQUIRE(e);
    CHECK(Json(e->ids) == record["ids"]);
    CHECK(Json(e->tokens) == record["tokens"]);
    CHECK(Json(e->segments) == record["type_ids"]);
    Json offsets = Json::array(), special = Json::array();
    for (const Span s : e->offsets) offsets.push_back({s.begin, s.end});
    for (const int s : e->sequence) special.push_back(s == kFrame ? 1 : 0);
    if (!record["offsets"].is_null()) CHECK(offsets == record["offsets"]);
    CHECK(special == record["special"]);
    CHECK(with_nulls(e->sequence) == record["sequence"]);
    CHECK(with_nulls(e->words) == record["words"]);
    if (record.contains("cut")) CHECK(Json{e->cut_first, e->cut_second} == record["cut"]);
  }
}

TEST_CASE("tokenization_fuzz.json") {
  const Json file = test::read_json("cases/tokenization_fuzz.json");
  REQUIRE(file["cases"].size() == 1000);
  int number = 0;
  for (const Json& record : file["cases"]) {
    CAPTURE(number++);
    const auto e = encode(record, file["vocab"].get<std::string>(), file["options"]);
    REQUIRE(e);
    CHECK(Json(e->ids) == record["ids"]);
  }
}

}  // namespace
}  // namespace nullscope::text
