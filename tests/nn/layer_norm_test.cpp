#include "nn/layer_norm.h"

#include <limits>

#include "instruction_sets.h"
#include "support/naive_nn.h"
#include "support/tolerances.h"

namespace {

using namespace nullscope;
using namespace nullscope::test;

template <class S>
void check_rows(int64_t channels, double offset, double spread, double eps) {
  CAPTURE(channels);
  CAPTURE(offset);
  CAPTURE(spread);
  RandomNumbers random(static_cast<uint64_t>(channels));
  constexpr int64_t kRows = 3;
  auto x = random_vector<S>(random, kRows * channels, spread);
  for (S& value : x) value += static_cast<S>(offset);
  const auto gamma = random_vector<S>(random, channels), beta = random_vector<S>(random, channels);
  std::vector<S> y(x.size());
  nn::layer_norm(x.data(), kRows, channels, gamma.data(), beta.data(), eps, y.data());
  std::vector<S> in_place = x;
  nn::layer_norm(in_place.data(), kRows, channels, gamma.data(), beta.data(), eps, in_place.data());
  CHECK(in_place == y);
  for (int64_t row = 0; row < kRows; ++row) {
    const std::vector<S> one(x.data() + row * channels, x.data() + (row + 1) * channels);
    const std::vector<S> got(y.data() + row * channels, y.data() + (row + 1) * channels);
    const std::vector<double> expected = naive_layer_norm(one, gamma, beta, eps);
    std::vector<double> unit;
    // Only the last rounding is in S; the mean's own rounding, in double, is magnified by
    // the ratio of offset to spread.
    for (const double value : expected)
      unit.push_back((std::abs(value) + 1) * static_cast<double>(std::numeric_limits<S>::epsilon()) + 1e-14 * (1 + std::abs(offset) / spread));
    CHECK(worst_difference(got, expected, unit) <= kLayerNormUnits);
  }
}

TEST_CASE_TEMPLATE("layer norm is the naive loop", S, float, double) {
  with_each_instruction_set([] {
    for (const int64_t channels : {2, 3, 5, 8, 15, 16, 17, 33, 100, 768})
      for (const double spread : {1e-3, 1.0, 1e4}) check_rows<S>(channels, 0, spread, 1e-12);
  });
}

TEST_CASE_TEMPLATE("a small spread on a large offset keeps its digits", S, float, double) {
  with_each_instruction_set([] {
    for (const int64_t channels : {7, 64, 768}) {
      check_rows<S>(channels, 1, 1e-3, 1e-12);
      check_rows<S>(channels, -1000, 1, 1e-5);
    }
  });
}

TEST_CASE_TEMPLATE("a constant row gives beta, whatever eps is", S, float, double) {
  with_each_instruction_set([] {
    RandomNumbers random(4);
    for (const int64_t channels : {1, 4, 31, 768}) {
      const auto gamma = random_vector<S>(random, channels), beta = random_vector<S>(random, channels);
      for (const double eps : {1e-12, 1e-5, 0.0})
        for (const double constant : {0.0, 3.0, -1e6}) {
          const std::vector<S> x(static_cast<size_t>(channels), static_cast<S>(constant));
          std::vector<S> y(x.size());
          nn::layer_norm(x.data(), 1, channels, gamma.data(), beta.data(), eps, y.data());
          CHECK(y == beta);
        }
    }
  });
}

TEST_CASE("by hand: 1 and 3 are one deviation from their mean") {
  const double x[] = {1, 3}, gamma[] = {2, 2}, beta[] = {10, 20};
  double y[2];
  nn::layer_norm(x, 1, 2, gamma, beta, 0, y);
  CHECK(y[0] == 8);
  CHECK(y[1] == 22);
}

}  // namespace
