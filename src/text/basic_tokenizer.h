// Basic tokenizer: clean, blanks round CJK ideographs, strip accents, lower-case, split on
// white space and punctuation. Goes over the text once, one character at a time, and holds
// one word at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/encoding.h"
#include "text/tokenizer.h"

namespace nullscope::text {

// One word, normalised.
struct Word {
  std::string letters;       // UTF-8; no longer than max_characters_per_word + 1 characters
  std::vector<int> sources;  // [bytes of letters] code point of the text that each byte comes from
  int characters = 0;        // of the whole word, however long
  int last_source = 0;       // code point of the text that its last character comes from
};

struct TextParts {
  std::function<void(const Word&)> word;
  std::function<void(int id, Span span)> special;  // a special token, typed in the text
};

// Calls `parts` in the order of the text. Special tokens are looked for where
// `typed_specials` is not null.
void split_text(std::string_view text, const TokenizerOptions& options, const Vocabulary* typed_specials,
                const TextParts& parts);

}  // namespace nullscope::text
