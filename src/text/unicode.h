// What the reference tokenizer does with each code point. Its tables mix three Unicode
// versions (marks, punctuation and format characters of 8, decompositions of 12, lower-casing
// of 17), so that no library's tables give the same answers; these are generated from
// tests/cases/unicode_classes.json by make_unicode_tables.py.
#pragma once

#include <span>

namespace nullscope::text {

bool is_dropped(char32_t c);      // removed by cleaning: controls, format characters, U+FFFD
bool is_space(char32_t c);        // cleaning makes it a blank
bool is_cjk(char32_t c);          // an ideograph, a word of its own
bool is_punctuation(char32_t c);  // a word of its own
bool splits_words(char32_t c);    // white space, as seen after cleaning

// What becomes of one character: 0 to 3 code points, none for a nonspacing mark.
struct Mapped {
  char32_t values[3];
  int count;
  std::span<const char32_t> all() const { return {values, static_cast<size_t>(count)}; }
};

// Full canonical decomposition without the nonspacing marks. The canonical reordering of
// what is left is not done: it concerns a handful of spacing marks that no vocabulary has.
Mapped without_accents(char32_t c);
Mapped lower_case(char32_t c);  // per character, whatever stands around it

}  // namespace nullscope::text
