#include "text/basic_tokenizer.h"

#include "text/unicode.h"
#include "text/utf8.h"

namespace nullscope::text {
namespace {

class Splitter {
 public:
  Splitter(const TokenizerOptions& options, const TextParts& parts)
      : options_(options), strip_accents_(options.strip_accents.value_or(options.lowercase)), parts_(parts) {}

  // One character of the text through all steps; `source` is its number.
  void take(char32_t c, int source) {
    if (options_.clean_text) {
      if (is_dropped(c)) return;
      if (is_space(c)) c = ' ';
    }
    const bool alone = options_.chinese_chars && is_cjk(c);
    if (alone) end_word();
    const Mapped plain = strip_accents_ ? without_accents(c) : Mapped{{c}, 1};
    for (const char32_t letter : plain.all()) {
      const Mapped lower = options_.lowercase ? lower_case(letter) : Mapped{{letter}, 1};
      for (const char32_t last : lower.all()) put(last, source);
    }
    if (alone) end_word();
  }

  void end_word() {
    if (word_.characters > 0) parts_.word(word_);
    word_.letters.clear();
    word_.sources.clear();
    word_.characters = 0;
  }

 private:
  void put(char32_t letter, int source) {
    if (splits_words(letter)) return end_word();
    const bool alone = is_punctuation(letter);
    if (alone) end_word();
    // What a word too long is made of no longer matters.
    if (word_.characters <= options_.max_characters_per_word) {
      append_utf8(word_.letters, letter);
      word_.sources.resize(word_.letters.size(), source);
    }
    ++word_.characters;
    word_.last_source = source;
    if (alone) end_word();
  }

  const TokenizerOptions& options_;
  const bool strip_accents_;
  const TextParts& parts_;
  Word word_;
};

}  // namespace

void split_text(std::string_view text, const TokenizerOptions& options, const Vocabulary* typed_specials,
                const TextParts& parts) {
  Splitter splitter(options, parts);
  int source = 0;
  for (size_t at = 0; at < text.size();) {
    const auto special = typed_specials ? typed_specials->special_start(text.substr(at)) : std::nullopt;
    const int begin = source;
    if (!special) {
      const CodePoint c = decode_utf8(text, at);
      splitter.take(c.value, source++);
      at += c.bytes;
      continue;
    }
    splitter.end_word();
    for (const size_t end = at + special->bytes; at < end; ++source) at += decode_utf8(text, at).bytes;
    parts.special(special->id, {begin, source});
  }
  splitter.end_word();
}

}  // namespace nullscope::text
