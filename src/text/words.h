// Words and spellings for display: which positions make one word, and how the reader's own
// text spells a piece, so that [UNK] can show what was typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/encoding.h"

namespace nullscope::text {

// Positions [begin, end) of one word; a token of the frame is one of its own.
struct WordRange {
  int begin = 0;
  int end = 0;
  friend bool operator==(WordRange, WordRange) = default;
};

// All positions, in order, without gaps.
std::vector<WordRange> word_ranges(const Encoding& encoding);

// [ranges] the text from the first character to the last of each range, in well-formed UTF-8
// (U+FFFD for bytes that were not); the vocabulary's spelling for the frame. `text` and `pair`
// are what was encoded; O(their length + T). Every range lies within one word.
std::vector<std::string> original_spellings(const Encoding& encoding, const std::vector<WordRange>& ranges,
                                            std::string_view text, std::optional<std::string_view> pair);

// [T] the same, piece by piece.
std::vector<std::string> original_spellings(const Encoding& encoding, std::string_view text,
                                            std::optional<std::string_view> pair);

}  // namespace nullscope::text
