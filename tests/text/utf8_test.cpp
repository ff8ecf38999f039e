#include <doctest/doctest.h>

#include "text/utf8.h"

namespace nullscope::text {
namespace {

TEST_CASE("every code point survives the way out and back") {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string bytes;
    append_utf8(bytes, c);
    const CodePoint back = decode_utf8(bytes, 0);
    if (back.value != c || back.bytes != bytes.size()) FAIL_CHECK("code point ", static_cast<unsigned>(c));
  }
}

TEST_CASE("each byte that is not UTF-8 is one U+FFFD") {
  using namespace std::string_view_literals;
  for (const std::string_view bad : {"\x80"sv, "\xFF"sv, "\xC1\xBF"sv, "\xE0\x9F\xBF"sv, "\xF0\x8F\xBF\xBF"sv, "\xED\xA0\x80"sv,
                                     "\xF4\x90\x80\x80"sv, "\xF8\x88\x80\x80\x80"sv, "\xE2\x82"sv, "\xC3("sv}) {
    const CodePoint c = decode_utf8(bad, 0);
    CHECK(c.value == kReplacement);
    CHECK(c.bytes == 1);
  }
}

TEST_CASE("the last code point before each limit is sound") {
  using namespace std::string_view_literals;
  CHECK(decode_utf8("\xC2\x80"sv, 0).value == 0x80);
  CHECK(decode_utf8("\xED\x9F\xBF"sv, 0).value == 0xD7FF);
  CHECK(decode_utf8("x\xF4\x8F\xBF\xBF"sv, 1).value == 0x10FFFF);
}

}  // namespace
}  // namespace nullscope::text
