#include "text/words.h"

#include "core/check.h"
#include "text/utf8.h"

namespace nullscope::text {
namespace {

// [code points + 1] where each code point of `text` begins, made well-formed.
struct Indexed {
  std::string letters;
  std::vector<size_t> starts;
};

Indexed index_text(std::string_view text) {
  Indexed out;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    out.starts.push_back(out.letters.size());
    append_utf8(out.letters, c.value);
    at += c.bytes;
  }
  out.starts.push_back(out.letters.size());
  return out;
}

}  // namespace

std::vector<WordRange> word_ranges(const Encoding& encoding) {
  std::vector<WordRange> ranges;
  for (int i = 0; i < encoding.tokens_count(); ++i) {
    const auto at = static_cast<size_t>(i);
    const bool goes_on = i > 0 && encoding.sequence[at] != kFrame &&
                         encoding.sequence[at] == encoding.sequence[at - 1] &&
                         encoding.words[at] == encoding.words[at - 1];
    if (goes_on)
      ranges.back().end = i + 1;
    else
      ranges.push_back({i, i + 1});
  }
  return ranges;
}

std::vector<std::string> original_spellings(const Encoding& encoding, const std::vector<WordRange>& ranges,
                                            std::string_view text, std::optional<std::string_view> pair) {
  const Indexed sources[] = {index_text(text), index_text(pair.value_or(""))};
  std::vector<std::string> spellings;
  spellings.reserve(ranges.size());
  for (const WordRange range : ranges) {
    const auto begin = static_cast<size_t>(range.begin), last = static_cast<size_t>(range.end - 1);
    const int sequence = encoding.sequence[begin];
    if (sequence == kFrame) {
      spellings.push_back(encoding.tokens[begin]);
      continue;
    }
    const Indexed& source = sources[sequence];
    const auto from = static_cast<size_t>(encoding.offsets[begin].begin);
    const auto to = static_cast<size_t>(encoding.offsets[last].end);
    NULLSCOPE_CHECK(from <= to && to < source.starts.size());
    spellings.push_back(source.letters.substr(source.starts[from], source.starts[to] - source.starts[from]));
  }
  return spellings;
}

std::vector<std::string> original_spellings(const Encoding& encoding, std::string_view text,
                                            std::optional<std::string_view> pair) {
  std::vector<WordRange> pieces;
  for (int i = 0; i < encoding.tokens_count(); ++i) pieces.push_back({i, i + 1});
  return original_spellings(encoding, pieces, text, pair);
}

}  // namespace nullscope::text
