// One seeded stream of numbers, the same on every platform.
#pragma once

#include <cstdint>
#include <random>

#include "core/tensor.h"

namespace nullscope::test {

class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : bits_(seed) {}
  // Uniform in [-1, 1).
  double next() { return static_cast<double>(bits_() >> 11) * 0x1p-52 - 1; }
  template <class S>
  Tensor<S> tensor(Shape shape) {
    Tensor<S> out(std::move(shape));
    for (S& x : out.values()) x = static_cast<S>(next());
    return out;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace nullscope::test
