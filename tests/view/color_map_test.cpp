#include "view/color_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "support/tolerances.h"

using namespace nullscope::view;
using nullscope::test::kColorUnevenness;

namespace {

double distance(Rgba x, Rgba y) {
  const OkLab a = oklab_of(x), b = oklab_of(y);
  return std::hypot(a.lightness - b.lightness, a.a - b.a, a.b - b.b);
}

// Largest relative departure of the distance over `stride` entries from its mean.
double unevenness(const Rgba* table, int count, int stride) {
  double sum = 0, worst = 0;
  const int steps = count - stride;
  for (int i = 0; i < steps; ++i) sum += distance(table[i], table[i + stride]);
  for (int i = 0; i < steps; ++i) worst = std::max(worst, std::abs(distance(table[i], table[i + stride]) / (sum / steps) - 1));
  return worst;
}

double lightness(Rgba color) { return oklab_of(color).lightness; }

}  // namespace

TEST_CASE("equal steps look equally large, and lightness alone carries the order") {
  for (const bool dark : {false, true}) {
    CAPTURE(dark);
    const Palette& p = palette(dark);
    CHECK(unevenness(p.sequential.data(), kTableSize, 16) < kColorUnevenness);
    CHECK(unevenness(p.diverging.data(), kTableSize / 2, 16) < kColorUnevenness);
    CHECK(unevenness(p.diverging.data() + kTableSize / 2, kTableSize / 2, 16) < kColorUnevenness);
    const double sign = dark ? 1 : -1;
    for (int i = 4; i < kTableSize; ++i)
      CHECK(sign * (lightness(p.sequential[static_cast<size_t>(i)]) - lightness(p.sequential[static_cast<size_t>(i - 4)])) > 0);
  }
}

TEST_CASE("the two arms of the diverging table are equally light, and part in the blue-yellow way") {
  for (const bool dark : {false, true}) {
    const Palette& p = palette(dark);
    const OkLab low = oklab_of(p.diverging.front()), high = oklab_of(p.diverging.back());
    CHECK(std::abs(low.lightness - high.lightness) < 0.04);
    CHECK(low.b > 0.05);    // orange
    CHECK(high.b < -0.05);  // blue: colour-blind eyes keep this axis
    CHECK(std::hypot(oklab_of(p.diverging[kTableSize / 2]).a, oklab_of(p.diverging[kTableSize / 2]).b) < 0.01);
  }
}

TEST_CASE("where numbers meet the table") {
  const Scale plain{false, 1}, wide{true, 0.5f};
  CHECK(scale_position(plain, 0) == 0);
  CHECK(scale_position(plain, 0.25f) == 0.5f);
  CHECK(scale_position(plain, 1) == 1);
  CHECK(scale_position(plain, 7) == 1);
  CHECK(scale_position(plain, -0.1f) == 0);
  CHECK(scale_position(wide, 0) == 0.5f);
  CHECK(scale_position(wide, 0.125f) == 0.75f);
  CHECK(scale_position(wide, -0.125f) == 0.25f);
  CHECK(scale_position(wide, -9) == 0);
}

TEST_CASE("not a number has a colour that no number has") {
  for (const bool dark : {false, true}) {
    const Palette& p = palette(dark);
    CHECK(color_of(p, {}, std::numeric_limits<float>::quiet_NaN()) == p.not_a_number);
    for (const Rgba color : p.sequential) CHECK(distance(color, p.not_a_number) > 0.1);
    for (const Rgba color : p.diverging) CHECK(distance(color, p.not_a_number) > 0.1);
    CHECK(color_of(p, {}, std::numeric_limits<float>::infinity()) == p.sequential.back());
  }
}
