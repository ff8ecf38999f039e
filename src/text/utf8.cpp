#include "text/utf8.h"

namespace nullscope::text {
namespace {

struct Form {
  unsigned char mask, lead;  // first byte & mask == lead
  size_t bytes;
  char32_t smallest;  // anything below is overlong
};

constexpr Form kForms[] = {{0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};

constexpr bool is_scalar(char32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

}  // namespace

CodePoint decode_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  constexpr CodePoint kBad{kReplacement, 1};
  if (byte(0) < 0x80) return {byte(0), 1};
  for (const Form& form : kForms) {
    if ((byte(0) & form.mask) != form.lead) continue;
    if (text.size() - at < form.bytes) return kBad;
    char32_t value = byte(0) & static_cast<unsigned char>(~form.mask);
    for (size_t i = 1; i < form.bytes; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return kBad;
      value = value << 6 | (byte(i) & 0x3Fu);
    }
    return value >= form.smallest && is_scalar(value) ? CodePoint{value, form.bytes} : kBad;
  }
  return kBad;
}

void append_utf8(std::string& to, char32_t value) {
  const auto put = [&](char32_t byte) { to.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (value < 0x80) return put(value);
  if (value < 0x800) {
    put(0xC0 | value >> 6);
  } else {
    if (value < 0x10000) {
      put(0xE0 | value >> 12);
    } else {
      put(0xF0 | value >> 18);
      put(0x80 | (value >> 12 & 0x3F));
    }
    put(0x80 | (value >> 6 & 0x3F));
  }
  put(0x80 | (value & 0x3F));
}

}  // namespace nullscope::text
