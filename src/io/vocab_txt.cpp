#include "io/foreign_format.h"
#include "io/vocabulary_file.h"
#include "text/utf8.h"

namespace nullscope::io {
namespace {

constexpr size_t kMaxPieces = size_t{1} << 24;

Status check_text(std::string_view bytes) {
  size_t line = 1;
  for (size_t i = 0; i < bytes.size();) {
    const text::CodePoint point = text::decode_utf8(bytes, i);
    const bool broken = point.value == text::kReplacement && point.bytes == 1;
    if (broken || point.value == 0)
      return fail(ErrorCode::kBadFormat,
                  "vocab.txt: line " + std::to_string(line) + ": expected UTF-8 text, found " +
                      (broken ? "a byte of another encoding" : "a NUL character (is it UTF-16?)"));
    line += bytes[i] == '\n';
    i += point.bytes;
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
