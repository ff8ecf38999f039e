// Tokenizer settings beyond tests/cases/vocabulary.
#include <doctest/doctest.h>

#include "io/model_files.h"

namespace nullscope::test {
namespace {

constexpr std::string_view kVocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[E1]\ncat\n##s\n";

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

}  // namespace

TEST_CASE("settings of tokenizer_config.json reach the tokenizer") {
  const auto tokenizer = io::load_tokenizer(
      {.vocab_txt = kVocab,
       .tokenizer_json = {},
       .tokenizer_config_json = R"({"do_lower_case":false,"strip_accents":true,"tokenize_chinese_chars":false,
         "clean_text":false,"max_input_chars_per_word":7,"unk_token":{"content":"[PAD]"},
         "additional_special_tokens":["[E1]"]})"});
  REQUIRE_MESSAGE(tokenizer.has_value(), tokenizer.error().message);
  CHECK_FALSE(tokenizer->options().lowercase);
  CHECK(tokenizer->options().strip_accents == true);
  CHECK_FALSE(tokenizer->options().chinese_chars);
  CHECK_FALSE(tokenizer->options().clean_text);
  CHECK(tokenizer->options().max_characters_per_word == 7);
  CHECK(tokenizer->vocabulary().unknown_id() == 0);
  const auto encoding = tokenizer->encode("[E1]cats");
  REQUIRE(encoding.has_value());
  CHECK(encoding->ids == std::vector<int>{2, 5, 6, 7, 3});
}

TEST_CASE("settings of the wrong kind are refused by name") {
  for (const char* key : {"do_lower_case", "strip_accents", "clean_text", "max_input_chars_per_word"}) {
    const std::string settings = "{\"" + std::string(key) + "\":\"yes\"}";
    const auto tokenizer =
        io::load_tokenizer({.vocab_txt = kVocab, .tokenizer_json = {}, .tokenizer_config_json = settings});
    REQUIRE_FALSE(tokenizer.has_value());
    CHECK(tokenizer.error().message.find(key) != std::string::npos);
  }
}

TEST_CASE("a vocabulary with capitals and no settings is lower-cased with a warning") {
  const std::string cased = std::string(kVocab) + "Cat\n";
  for (const std::string& vocab : {std::string(kVocab), cased}) {
    io::TokenizerReport report;
    const auto tokenizer =
        io::load_tokenizer({.vocab_txt = vocab, .tokenizer_json = {}, .tokenizer_config_json = {}}, &report);
    REQUIRE(tokenizer.has_value());
    CHECK(tokenizer->options().lowercase);
    CHECK((joined(report.warnings).find("capitals") != std::string::npos) == (vocab == cased));
  }
}

TEST_CASE("added tokens of tokenizer.json are special, once") {
  const auto tokenizer = io::load_tokenizer(
      {.vocab_txt = {},
       .tokenizer_json = R"({"model":{"type":"WordPiece","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"cat":3}},
         "added_tokens":[{"id":1,"content":"[CLS]"},{"id":4,"content":"[E1]"}],
         "normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"}})",
       .tokenizer_config_json = R"({"additional_special_tokens":["[E1]"]})"});
  REQUIRE_MESSAGE(tokenizer.has_value(), tokenizer.error().message);
  CHECK(tokenizer->vocabulary().special().added == std::vector<std::string>{"[E1]"});
  CHECK(tokenizer->encode("cat[E1]")->ids == std::vector<int>{1, 3, 4, 2});
}

TEST_CASE("numbers of pieces in tokenizer.json may leave gaps but not be far off") {
  const auto load = [](const std::string& vocab) {
    const std::string json = R"({"model":{"type":"WordPiece","vocab":{)" + vocab +
                             R"(}},"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"}})";
    return io::load_tokenizer({.vocab_txt = {}, .tokenizer_json = json, .tokenizer_config_json = {}});
  };
  const std::string specials = R"("[UNK]":0,"[CLS]":1,"[SEP]":2)";
  const auto gap = load(specials + R"(,"a":9)");
  REQUIRE_MESSAGE(gap.has_value(), gap.error().message);
  CHECK(gap->vocabulary().size() == 10);
  CHECK(gap->vocabulary().find("a") == 9);
  CHECK_FALSE(load(specials + R"(,"a":2)").has_value());           // taken
  CHECK_FALSE(load(specials + R"(,"a":2000000000)").has_value());  // far off
  CHECK_FALSE(load(specials + R"(,"a":-1)").has_value());
}

}  // namespace nullscope::test
