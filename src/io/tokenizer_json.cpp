#include "io/json.h"
#include "io/vocabulary_file.h"

namespace nullscope::io {
namespace {

using Json = nlohmann::json;

std::unexpected<Error> bad(std::string_view where, std::string expected, const Json* found,
                           ErrorCode code = ErrorCode::kBadFormat) {
  return fail(code, "tokenizer.json: " + std::string(where) + ": expected " + std::move(expected) + ", found " +
                        (found ? json_excerpt(*found) : "nothing"));
}

// Puts a piece at its number. Numbers far beyond the count of pieces would only waste memory.
Status put(std::vector<std::string>& tokens, const std::string& token, const Json* id, size_t pieces) {
  const auto* number = id ? id->get_ptr<const Json::number_unsigned_t*>() : nullptr;
  if (!number || *number >= 2 * pieces + 1000)
    return bad("the number of \"" + token + "\"", "a whole number near the count of pieces", id);
  const size_t index = static_cast<size_t>(*number);
  if (index >= tokens.size()) tokens.resize(index + 1);
  if (!tokens[index].empty() && tokens[index] != token)
    return fail(ErrorCode::kBadFormat, "tokenizer.json: \"" + tokens[index] + "\" and \"" + token +
                                           "\" have the same number " + std::to_string(index));
  tokens[index] = token;
  return {};
}

Status read_vocabulary(const Json& json, TokenizerJson& out) {
  const Json* model = member(json, "model");
  const Json* type = model ? member(*model, "type") : nullptr;
  if (!type || *type != "WordPiece") return bad("model.type", "\"WordPiece\"", type, ErrorCode::kUnsupported);
  if (const Json* prefix = member(*model, "continuing_subword_prefix"); prefix && *prefix != "##")
    return bad("model.continuing_subword_prefix", "\"##\"", prefix, ErrorCode::kUnsupported);
  if (const std::string* unknown = as_string(member(*model, "unk_token"))) out.unknown_token = *unknown;
  if (const Json* limit = member(*model, "max_input_chars_per_word")) {
    const auto number = word_limit(*limit);
    if (!number) return bad("model.max_input_chars_per_word", "a whole number from 1 to 1000000", limit);
    out.options.max_characters_per_word = *number;
  }
  const Json* vocab = member(*model, "vocab");
  const auto* pieces = vocab ? vocab->get_ptr<const Json::object_t*>() : nullptr;
  if (!pieces) return bad("model.vocab", "an object of pieces and their numbers", vocab);
  for (const auto& [token, id] : *pieces) NULLSCOPE_TRY(put(out.tokens, token, &id, pieces->size()));

  const Json* added = member(json, "added_tokens");
  if (!added || added->is_null()) return {};
  const auto* items = added->get_ptr<const Json::array_t*>();
  if (!items) return bad("added_tokens", "a list", added);
  for (const Json& item : *items) {
    const std::string* content = as_string(member(item, "content"));
    if (!content) return bad("added_tokens", "a token with its content", &item);
    NULLSCOPE_TRY(put(out.tokens, *content, member(item, "id"), pieces->size() + items->size()));
    if (!content->empty()) out.added.push_back(*content);
  }
  return {};
}

Status read_normalizer(const Json& json, text::TokenizerOptions& options) {
  const Json* normalizer = member(json, "normalizer");
  const Json* type = normalizer ? member(*normalizer, "type") : nullptr;
  if (!type || *type != "BertNormalizer")
    return bad("normalizer.type", "\"BertNormalizer\"", type, ErrorCode::kUnsupported);
  struct Row {
    const char* key;
    bool* to;
  };
  for (const Row& row : {Row{"lowercase", &options.lowercase}, Row{"clean_text", &options.clean_text},
                         Row{"handle_chinese_chars", &options.chinese_chars}}) {
    const Json* value = member(*normalizer, row.key);
    if (!value) continue;
    if (!value->is_boolean()) return bad(std::string("normalizer.") + row.key, "true or false", value);
    *row.to = value->get<bool>();
  }
  const Json* strip = member(*normalizer, "strip_accents");
  if (strip && !strip->is_null()) {
    if (!strip->is_boolean()) return bad("normalizer.strip_accents", "true, false or null", strip);
    options.strip_accents = strip->get<bool>();
  }
  const Json* splitter = member(json, "pre_tokenizer");
  const Json* split_type = splitter ? member(*splitter, "type") : nullptr;
  if (!split_type || *split_type != "BertPreTokenizer")
    return bad("pre_tokenizer.type", "\"BertPreTokenizer\"", split_type, ErrorCode::kUnsupported);
  return {};
}

}  // namespace

std::optional<int> word_limit(const Json& value) {
  const auto* number = value.get_ptr<const Json::number_unsigned_t*>();
  if (!number || *number == 0 || *number > 1'000'000) return std::nullopt;
  return static_cast<int>(*number);
}

Result<TokenizerJson> parse_tokenizer_json(std::string_view bytes) {
  const auto json = parse_json(bytes, "tokenizer.json");
  if (!json) return std::unexpected(json.error());
  TokenizerJson out;
  NULLSCOPE_TRY(read_vocabulary(*json, out));
  NULLSCOPE_TRY(read_normalizer(*json, out.options));
  return out;
}

}  // namespace nullscope::io
