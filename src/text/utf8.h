// UTF-8, strict: overlong forms, surrogates and numbers above U+10FFFF are not UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nullscope::text {

inline constexpr char32_t kReplacement = 0xFFFD;

struct CodePoint {
  char32_t value;
  size_t bytes;  // how many it takes in the text, 1 to 4
};

// The code point at `at`, which lies inside `text`. A byte that starts no well-formed
// sequence is one U+FFFD of one byte.
CodePoint decode_utf8(std::string_view text, size_t at);

// `value` is a code point, not a surrogate.
void append_utf8(std::string& to, char32_t value);

}  // namespace nullscope::text
