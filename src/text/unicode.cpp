#include "text/unicode.h"

#include <algorithm>
#include <iterator>

namespace nullscope::text {
namespace {

struct Range {
  char32_t first, last;
};
struct Single {
  char32_t from, to;
};
struct Several {
  char32_t from;
  char32_t to[3];  // zero-filled
};

#include "text/unicode_tables.inc"

template <size_t N>
bool contains(const Range (&ranges)[N], char32_t c) {
  const auto* found = std::ranges::lower_bound(ranges, c, {}, &Range::last);
  return found != std::end(ranges) && found->first <= c;
}

template <size_t N, size_t M>
Mapped look_up(const Single (&singles)[N], const Several (&severals)[M], char32_t c) {
  const auto* single = std::ranges::lower_bound(singles, c, {}, &Single::from);
  if (single != std::end(singles) && single->from == c) return {{single->to}, 1};
  const auto* several = std::ranges::lower_bound(severals, c, {}, &Several::from);
  if (several == std::end(severals) || several->from != c) return {{c}, 1};
  return {{several->to[0], several->to[1], several->to[2]}, several->to[2] ? 3 : 2};
}

// Hangul syllables decompose by arithmetic (The Unicode Standard, section 3.12).
constexpr char32_t kSyllables = 0xAC00, kLastSyllable = 0xD7A3;
constexpr char32_t kLeads = 0x1100, kVowels = 0x1161, kBeforeTails = 0x11A7;
constexpr char32_t kVowelCount = 21, kTailCount = 28;

Mapped jamo(char32_t syllable) {
  const char32_t index = syllable - kSyllables, tail = index % kTailCount;
  return {{kLeads + index / (kVowelCount * kTailCount), kVowels + index / kTailCount % kVowelCount,
           kBeforeTails + tail},
          tail ? 3 : 2};
}

}  // namespace

bool is_dropped(char32_t c) { return contains(kDropped, c); }
bool is_space(char32_t c) { return contains(kSpace, c); }
bool is_cjk(char32_t c) { return contains(kCjk, c); }
bool is_punctuation(char32_t c) { return contains(kPunctuation, c); }
bool splits_words(char32_t c) { return contains(kSplitSpace, c); }

Mapped without_accents(char32_t c) {
  if (c < 0x80) return {{c}, 1};
  if (c >= kSyllables && c <= kLastSyllable) return jamo(c);
  if (contains(kNonspacing, c)) return {{}, 0};
  return look_up(kStripAccents, kStripAccentsSeveral, c);
}

Mapped lower_case(char32_t c) {
  if (c < 0x80) return {{c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c}, 1};
  return look_up(kLower, kLowerSeveral, c);
}

}  // namespace nullscope::text
