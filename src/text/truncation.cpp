#include "text/truncation.h"

#include <algorithm>

namespace nullscope::text {

Result<Kept> truncate(int first, int second, int places, Truncation strategy) {
  if (places >= first && places - first >= second) return Kept{first, second};
  if (strategy == Truncation::kLongestFirst) {
    const int shorter = std::min(first, second);
    const int small = std::min(shorter, places / 2), large = places - small;
    return first > second ? Kept{large, small} : Kept{small, large};
  }
  const bool cut_first = strategy == Truncation::kOnlyFirst;
  const int whole = cut_first ? second : first;
  if (whole > places)
    return fail(ErrorCode::kBadOption, std::string("truncation of the ") + (cut_first ? "first" : "second") +
                                           " text only: expected the other to fit in " + std::to_string(places) +
                                           " places, found " + std::to_string(whole) + " pieces");
  return cut_first ? Kept{places - second, second} : Kept{first, places - first};
}

}  // namespace nullscope::text
