// vocab.txt and tokenizer.json: the pieces in order of their numbers, and what is odd about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/json.h"
#include "text/tokenizer.h"

namespace nullscope::io {

// One piece a line, UTF-8, lines end in LF or CR LF; blank lines count except at the end.
Result<std::vector<std::string>> parse_vocab_txt(std::string_view bytes);

// What tokenizer.json tells; truncation and padding in it are left aside.
struct TokenizerJson {
  std::vector<std::string> tokens;  // index = number; empty where no piece has the number
  std::optional<std::string> unknown_token;
  std::vector<std::string> added;   // whole in a text, whatever the pieces say
  text::TokenizerOptions options;
};
Result<TokenizerJson> parse_tokenizer_json(std::string_view bytes);

// The value of max_input_chars_per_word, 1 to 1000000; nullopt for anything else.
std::optional<int> word_limit(const nlohmann::json& value);

}  // namespace nullscope::io
