// BERT's tokenizer, exactly as Hugging Face's fast one (tokenizers 0.23.3: BertNormalizer,
// BertPreTokenizer, WordPiece, BERT template):
//   clean, space round CJK ideographs, strip accents, lower-case, split on spaces and
//   punctuation, longest-match-first WordPiece, frame.
// Offsets are code points of the original text.
#pragma once

#include <optional>
#include <string_view>

#include "core/result.h"
#include "text/encoding.h"
#include "text/vocabulary.h"

namespace nullscope::text {

struct TokenizerOptions {
  bool lowercase = true;
  std::optional<bool> strip_accents;  // unset: the same as `lowercase`
  bool clean_text = true;             // drop control characters, turn white space into blanks
  bool chinese_chars = true;          // a blank on each side of CJK ideographs
  int max_characters_per_word = 100;  // a longer word is [UNK]
};

enum class Truncation { kLongestFirst, kOnlyFirst, kOnlySecond };

struct EncodeOptions {
  bool parse_special = true;      // "[MASK]" typed in the text becomes the special token
  bool add_special = true;        // the frame
  std::optional<int> max_length;  // tokens with the frame; more are cut and counted
  Truncation truncation = Truncation::kLongestFirst;
};

class Tokenizer {
 public:
  Tokenizer(Vocabulary vocabulary, TokenizerOptions options);

  // Bytes that are not UTF-8 act as U+FFFD, which cleaning drops. Fails with kTooLarge above
  // kMaxTextBytes, and with kBadOption when max_length leaves no room for the frame or the
  // chosen side cannot be cut enough.
  Result<Encoding> encode(std::string_view text, std::optional<std::string_view> pair = std::nullopt,
                          const EncodeOptions& options = {}) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const TokenizerOptions& options() const { return options_; }

  static constexpr size_t kMaxTextBytes = size_t{16} << 20;

 private:
  Vocabulary vocabulary_;
  TokenizerOptions options_;
};

}  // namespace nullscope::text
