#include <doctest/doctest.h>

#include "text/truncation.h"

namespace nullscope::text {
namespace {

void check(int first, int second, int places, Truncation strategy, int kept_first, int kept_second) {
  CAPTURE(first);
  CAPTURE(second);
  CAPTURE(places);
  const auto kept = truncate(first, second, places, strategy);
  REQUIRE(kept);
  CHECK(kept->first == kept_first);
  CHECK(kept->second == kept_second);
}

TEST_CASE("longest first") {
  constexpr auto kStrategy = Truncation::kLongestFirst;
  check(4, 5, 9, kStrategy, 4, 5);
  check(9, 3, 8, kStrategy, 5, 3);
  check(3, 9, 8, kStrategy, 3, 5);
  check(9, 4, 7, kStrategy, 4, 3);
  check(4, 9, 7, kStrategy, 3, 4);
  check(5, 5, 7, kStrategy, 3, 4);
  check(5, 0, 2, kStrategy, 2, 0);
  check(5, 5, 0, kStrategy, 0, 0);
}

TEST_CASE("one side only") {
  check(9, 3, 8, Truncation::kOnlyFirst, 5, 3);
  check(9, 3, 3, Truncation::kOnlyFirst, 0, 3);
  check(3, 9, 8, Truncation::kOnlySecond, 3, 5);
  check(3, 9, 12, Truncation::kOnlySecond, 3, 9);
  CHECK(truncate(9, 4, 3, Truncation::kOnlyFirst).error().code == ErrorCode::kBadOption);
  CHECK(truncate(9, 0, 3, Truncation::kOnlySecond).error().code == ErrorCode::kBadOption);
}

}  // namespace
}  // namespace nullscope::text
