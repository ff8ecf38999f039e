// Truncation: how many pieces of each text stay when not all fit.
#pragma once

#include "core/result.h"
#include "text/tokenizer.h"

namespace nullscope::text {

struct Kept {
  int first = 0, second = 0;
};

// `first` and `second` are the lengths, `places` how many fit in all. Longest-first: the
// shorter text of length s keeps all if places - s >= s; otherwise both get half of the
// places, the odd one going to the longer text, or to the second when they are equally long.
// Fails with kBadOption when the one side that may be cut is too short for it.
Result<Kept> truncate(int first, int second, int places, Truncation strategy);

}  // namespace nullscope::text
