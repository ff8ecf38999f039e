#include "io/foreign_format.h"
#include "io/vocabulary_file.h"

namespace nullscope::io {
namespace {

constexpr size_t kMaxPieces = size_t{1} << 24;

// Length of the well-formed UTF-8 sequence at the front of `text`, 0 when there is none.
size_t utf8_length(std::string_view text) {
  const auto at = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](size_t i) { return (at(i) & 0xC0u) == 0x80u; };
  const unsigned first = at(0), second = at(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if ((first & 0xF0u) == 0xE0)
    return follows(1) && follows(2) && !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F) ? 3 : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return follows(1) && follows(2) && follows(3) && !(first == 0xF0 && second < 0x90) &&
                   !(first == 0xF4 && second > 0x8F)
               ? 4
               : 0;
  return 0;
}

Status check_text(std::string_view text) {
  size_t line = 1;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(text.substr(i));
    if (length == 0 || text[i] == '\0')
      return fail(ErrorCode::kBadFormat,
                  "vocab.txt: line " + std::to_string(line) + ": expected UTF-8 text, found " +
                      (length == 0 ? "a byte of another encoding" : "a NUL character (is it UTF-16?)"));
    line += text[i] == '\n';
    i += length;
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> parse_vocab_txt(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const auto really = foreign_format(std::as_bytes(std::span(bytes.data(), bytes.size())));
  if (bytes.starts_with("version https://git-lfs") || bytes.starts_with("{\"") || really == "UTF-16 text")
    return fail(ErrorCode::kBadFormat, "vocab.txt: expected UTF-8 text, one piece a line; it looks like " +
                                           std::string(really));
  NULLSCOPE_TRY(check_text(bytes));

  std::vector<std::string> tokens;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (tokens.size() == kMaxPieces)
      return fail(ErrorCode::kTooLarge, "vocab.txt: more than " + std::to_string(kMaxPieces) + " lines");
    tokens.emplace_back(line);
  }
  while (!tokens.empty() && tokens.back().empty()) tokens.pop_back();
  if (tokens.empty()) return fail(ErrorCode::kMissing, "vocab.txt: the file is empty");
  return tokens;
}

}  // namespace nullscope::io
