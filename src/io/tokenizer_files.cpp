#include <algorithm>
#include <unordered_set>

#include "io/json.h"
#include "io/model_files.h"
#include "io/vocabulary_file.h"

namespace nullscope::io {
namespace {

using Json = nlohmann::json;

// A switch of tokenizer_config.json; nullopt when absent or null.
Result<std::optional<bool>> switch_of(const Json& config, std::string_view key) {
  const Json* value = member(config, key);
  if (!value || value->is_null()) return std::optional<bool>();
  if (!value->is_boolean())
    return fail(ErrorCode::kBadOption, "tokenizer_config.json: " + std::string(key) +
                                           ": expected true or false, found " + json_excerpt(*value));
  return std::optional(value->get<bool>());
}

struct Settings {
  std::optional<bool> lowercase, strip_accents, chinese_chars, clean_text;
  std::optional<int> max_characters_per_word;
  text::SpecialTokens special;
};

Result<Settings> parse_settings(std::string_view text) {
  const auto json = parse_json(text, "tokenizer_config.json");
  if (!json) return std::unexpected(json.error());
  if (!json->is_object())
    return fail(ErrorCode::kBadFormat, "tokenizer_config.json: expected an object, found " + json_excerpt(*json));
  Settings settings;
  struct Switch {
    std::string_view key;
    std::optional<bool>* to;
  };
  for (const Switch& row : {Switch{"do_lower_case", &settings.lowercase},
                            Switch{"strip_accents", &settings.strip_accents},
                            Switch{"tokenize_chinese_chars", &settings.chinese_chars},
                            Switch{"clean_text", &settings.clean_text}}) {
    const auto value = switch_of(*json, row.key);
    if (!value) return std::unexpected(value.error());
    *row.to = *value;
  }
  if (const Json* limit = member(*json, "max_input_chars_per_word")) {
    const auto number = word_limit(*limit);
    if (!number)
      return fail(ErrorCode::kBadOption, "tokenizer_config.json: max_input_chars_per_word: expected a whole number "
                                         "from 1 to 1000000, found " + json_excerpt(*limit));
    settings.max_characters_per_word = *number;
  }
  struct Name {
    std::string_view key;
    std::string* to;
  };
  for (const Name& row :
       {Name{"unk_token", &settings.special.unknown}, Name{"cls_token", &settings.special.classify},
        Name{"sep_token", &settings.special.separate}, Name{"pad_token", &settings.special.pad},
        Name{"mask_token", &settings.special.mask}}) {
    const Json* value = member(*json, row.key);
    if (value && value->is_object()) value = member(*value, "content");
    if (const std::string* name = as_string(value)) *row.to = *name;
  }
  if (const Json* more = member(*json, "additional_special_tokens"); more && more->is_array())
    for (const Json& item : *more) {
      const std::string* name = as_string(item.is_object() ? member(item, "content") : &item);
      if (name && !name->empty()) settings.special.added.push_back(*name);
    }
  return settings;
}

// Adds the names that are not special already.
void add_specials(text::SpecialTokens& special, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool known = name == special.unknown || name == special.classify || name == special.separate ||
                       name == special.pad || name == special.mask;
    if (!known && std::ranges::find(special.added, name) == special.added.end()) special.added.push_back(name);
  }
}

// Whether pieces of plain text begin with a capital: then it is no vocabulary for lower-cased text.
bool has_capitals(const std::vector<std::string>& tokens) {
  return std::ranges::any_of(tokens, [](const std::string& t) { return !t.empty() && t[0] >= 'A' && t[0] <= 'Z'; });
}

void warn_about(const text::Vocabulary& vocabulary, std::vector<std::string>& warnings) {
  if (!vocabulary.pad_id()) warnings.push_back("the vocabulary has no " + vocabulary.special().pad);
  if (!vocabulary.mask_id()) warnings.push_back("the vocabulary has no " + vocabulary.special().mask);
  std::unordered_set<std::string_view> seen;
  bool continues = false;
  for (int id = 0; id < vocabulary.size(); ++id) {
    const std::string& token = vocabulary.token(id);
    continues |= token.starts_with("##");
    if (!token.empty() && !seen.insert(token).second)
      warnings.push_back("duplicate: \"" + token.substr(0, 40) + "\" is in the vocabulary twice, at last as number " +
                         std::to_string(id));
  }
  if (!continues) warnings.push_back("the vocabulary has no continuation pieces (\"##...\")");
}

}  // namespace

Result<text::Tokenizer> load_tokenizer(const TokenizerFiles& files, TokenizerReport* report) {
  std::vector<std::string> warnings;
  Settings settings;
  if (files.tokenizer_config_json) {
    auto parsed = parse_settings(*files.tokenizer_config_json);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    settings = std::move(*parsed);
  }
  text::TokenizerOptions options;
  options.lowercase = settings.lowercase.value_or(options.lowercase);
  options.strip_accents = settings.strip_accents;
  options.chinese_chars = settings.chinese_chars.value_or(options.chinese_chars);
  options.clean_text = settings.clean_text.value_or(options.clean_text);
  options.max_characters_per_word = settings.max_characters_per_word.value_or(options.max_characters_per_word);

  std::vector<std::string> tokens;
  if (files.vocab_txt && (!files.tokenizer_json || !files.vocab_txt->empty())) {
    auto parsed = parse_vocab_txt(*files.vocab_txt);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    tokens = std::move(*parsed);
  }
  if (files.tokenizer_json) {
    auto parsed = parse_tokenizer_json(*files.tokenizer_json);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    if (files.vocab_txt && tokens != parsed->tokens)
      warnings.push_back("vocab.txt and tokenizer.json number their pieces differently; tokenizer.json is used");
    if (settings.lowercase && *settings.lowercase != parsed->options.lowercase)
      warnings.push_back(
          "tokenizer.json and tokenizer_config.json disagree about lower-casing; tokenizer.json is used");
    tokens = std::move(parsed->tokens);
    options = parsed->options;
    if (parsed->unknown_token) settings.special.unknown = *parsed->unknown_token;
    add_specials(settings.special, parsed->added);
  } else if (!files.vocab_txt) {
    return fail(ErrorCode::kMissing, "vocab.txt and tokenizer.json are both missing");
  } else if (!settings.lowercase && has_capitals(tokens)) {
    warnings.push_back("nothing says whether to lower-case (tokenizer_config.json: do_lower_case): it is done, though "
                       "the vocabulary has capitals");
  }

  auto vocabulary = text::Vocabulary::from_tokens(std::move(tokens), settings.special);
  if (!vocabulary) return std::unexpected(std::move(vocabulary.error()));
  warn_about(*vocabulary, warnings);
  if (report) report->warnings = std::move(warnings);
  return text::Tokenizer(std::move(*vocabulary), options);
}

}  // namespace nullscope::io
