// Encoding: one text, or a pair, as BERT reads it: [CLS] a [SEP] (b [SEP]).
#pragma once

#include <string>
#include <vector>

namespace nullscope::text {

// [begin, end) in code points of the text the piece comes from; {0, 0} for the frame.
struct Span {
  int begin = 0;
  int end = 0;
  friend bool operator==(Span, Span) = default;
};

inline constexpr int kFrame = -1;  // in `sequence` and `words`: added by the tokenizer

struct Encoding {
  std::vector<int> ids;             // [T] token ids
  std::vector<int> segments;        // [T] 0 or 1
  std::vector<std::string> tokens;  // [T] the vocabulary's spelling, "##ing"
  std::vector<Span> offsets;        // [T]
  std::vector<int> sequence;        // [T] 0 first text, 1 second, kFrame
  std::vector<int> words;           // [T] number of the pre-token within its text, kFrame for the frame
  int cut_first = 0;                // pieces lost to truncation from the first text
  int cut_second = 0;               // and from the second

  int tokens_count() const { return static_cast<int>(ids.size()); }
};

}  // namespace nullscope::text
