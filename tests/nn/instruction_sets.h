// Runs a test with each set of kernels that this processor can run, then restores the best.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/kernel_set.h"
#include "support/random_numbers.h"

namespace nullscope::test {

template <class F>
void with_each_instruction_set(F test) {
  for (const auto set : {nn::InstructionSet::kBaseline, nn::InstructionSet::kAvx2, nn::InstructionSet::kAvx512}) {
    if (!nn::runs_here(set)) continue;
    nn::force_instruction_set(set);
    const std::string name = nn::instruction_set_name(set);
    CAPTURE(name);
    test();
  }
  nn::force_instruction_set(nn::best_instruction_set());
}

// Uniform in [-scale, scale), in an allocation of just that size, so that a sanitizer sees
// what is read beyond it.
template <class S>
std::vector<S> random_vector(RandomNumbers& random, int64_t count, double scale = 1) {
  std::vector<S> out(static_cast<size_t>(count));
  for (S& x : out) x = static_cast<S>(scale * random.next());
  return out;
}

// The largest difference of two arrays, each number measured in `unit`s of its own.
template <class S>
double worst_difference(const std::vector<S>& got, const std::vector<double>& expected, const std::vector<double>& unit) {
  REQUIRE(got.size() >= expected.size());
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - expected[i]) / unit[i];
    if (!(difference <= worst)) worst = difference;  // not-a-number is the worst
  }
  return worst;
}

}  // namespace nullscope::test
