#include "nn/linear.h"

#include <algorithm>
#include <limits>

#include "core/tensor_bundle.h"
#include "instruction_sets.h"
#include "nn/matmul.h"
#include "support/naive_nn.h"
#include "support/tolerances.h"

namespace {

using namespace nullscope;
using namespace nullscope::test;

constexpr double kUntouched = 7.25;

// One weight matrix in each number type, with the exact values of what is stored.
struct StoredWeights {
  nn::WeightType type;
  std::vector<uint16_t> halves;
  std::vector<float> floats;
  std::vector<double> doubles, values;

  StoredWeights(nn::WeightType stored_as, const std::vector<double>& numbers) : type(stored_as) {
    for (const double w : numbers) {
      halves.push_back(float_to_half(static_cast<float>(w)));
      floats.push_back(static_cast<float>(w));
      doubles.push_back(w);
      values.push_back(type == nn::WeightType::kF16   ? static_cast<double>(half_to_float(halves.back()))
                       : type == nn::WeightType::kF32 ? static_cast<double>(floats.back())
                                                      : w);
    }
  }
  nn::WeightView view(int64_t out, int64_t in) const {
    const void* data = type == nn::WeightType::kF16   ? static_cast<const void*>(halves.data())
                       : type == nn::WeightType::kF32 ? static_cast<const void*>(floats.data())
                                                      : doubles.data();
    return {data, type, out, in};
  }
};
constexpr nn::WeightType kTypes[] = {nn::WeightType::kF16, nn::WeightType::kF32, nn::WeightType::kF64};

template <class S>
void check_linear(int64_t rows, int64_t out, int64_t in, nn::WeightType type, double scale, bool with_bias) {
  CAPTURE(rows);
  CAPTURE(out);
  CAPTURE(in);
  CAPTURE(static_cast<int>(type));
  CAPTURE(scale);
  RandomNumbers random(static_cast<uint64_t>(rows * 1000003 + out * 1009 + in));
  const auto x = random_vector<S>(random, rows * in, 1 / scale);
  const StoredWeights w(type, random_vector<double>(random, out * in, scale));
  const auto bias = with_bias ? random_vector<S>(random, out) : std::vector<S>();
  NaiveProduct expected = naive_linear(x, rows, w.values, out, in, bias);
  const double unit = static_cast<double>(std::numeric_limits<S>::epsilon()) * std::sqrt(static_cast<double>(in));
  // A double weight narrowed to a float is off by half a unit in the last place.
  for (double& size : expected.size) size *= unit;
  std::vector<S> y(static_cast<size_t>(rows * out) + 8, static_cast<S>(kUntouched));
  nn::linear(x.data(), rows, w.view(out, in), with_bias ? bias.data() : nullptr, y.data());
  CHECK(worst_difference(y, expected.y, expected.size) <= kProductError);
  for (size_t i = static_cast<size_t>(rows * out); i < y.size(); ++i) CHECK(y[i] == static_cast<S>(kUntouched));
}

TEST_CASE_TEMPLATE("linear is the naive loop for odd sizes", S, float, double) {
  with_each_instruction_set([] {
    for (const int64_t rows : {1, 2, 3, 5, 8, 16, 17, 33, 49, 97})
      for (const int64_t out : {1, 2, 5, 6, 7, 8, 9, 23})
        for (const int64_t in : {1, 2, 3, 7, 64, 65}) check_linear<S>(rows, out, in, nn::WeightType::kF32, 1, rows % 2 == 1);
  });
}

TEST_CASE_TEMPLATE("linear is the naive loop for every type of weight and magnitude", S, float, double) {
  with_each_instruction_set([] {
    for (const nn::WeightType type : kTypes)
      for (const double scale : {1e-6, 1e-2, 1.0, 1e3})  // 1e-6: most halves are subnormal
        for (const int64_t in : {3, 31, 130}) check_linear<S>(19, 13, in, type, scale, true);
  });
}

TEST_CASE_TEMPLATE("linear adds up the blocks of a deep sum", S, float, double) {
  with_each_instruction_set([] {
    for (const int64_t in : {nn::kDepthBlock - 1, nn::kDepthBlock, nn::kDepthBlock + 1, 2 * nn::kDepthBlock + 5, 4 * nn::kDepthBlock})
      for (const nn::WeightType type : kTypes) check_linear<S>(10, 11, in, type, 1, in % 2 == 1);
  });
}

TEST_CASE_TEMPLATE("a row of the product does not depend on its batch, nor on the threads", S, float, double) {
  with_each_instruction_set([] {
    constexpr int64_t kRows = 131, kOut = 45, kIn = 900;
    RandomNumbers random(5);
    const auto x = random_vector<S>(random, kRows * kIn), bias = random_vector<S>(random, kOut);
    const StoredWeights w(nn::WeightType::kF16, random_vector<double>(random, kOut * kIn));
    std::vector<S> batch(kRows * kOut);
    nn::linear(x.data(), kRows, w.view(kOut, kIn), bias.data(), batch.data());
    for (const int64_t row : {int64_t{0}, int64_t{47}, int64_t{48}, kRows - 1}) {
      std::vector<S> alone(kOut);
      nn::linear(x.data() + row * kIn, 1, w.view(kOut, kIn), bias.data(), alone.data());
      CHECK(std::equal(alone.begin(), alone.end(), batch.data() + row * kOut));
    }
    for (const int threads : {1, 2, 3, 7}) {
      const nn::Parallel parallel(threads);
      std::vector<S> split(batch.size());
      nn::linear(x.data(), kRows, w.view(kOut, kIn), bias.data(), split.data(), &parallel);
      CHECK(split == batch);
    }
  });
}

TEST_CASE("a product of part of the columns leaves the others alone") {
  with_each_instruction_set([] {
    RandomNumbers random(6);
    constexpr int64_t kRows = 9, kStride = 20, kDepth = 11, kOut = 7;
    const auto x = random_vector<float>(random, kRows * kStride);
    const auto w = random_vector<float>(random, kOut * kStride);
    std::vector<float> y(kRows * kStride, static_cast<float>(kUntouched));
    nn::matmul<float>(x.data(), kStride, kRows, kDepth, {w.data(), nn::WeightType::kF32, kOut, kStride}, nullptr, y.data(), kStride, nullptr);
    for (int64_t m = 0; m < kRows; ++m)
      for (int64_t n = 0; n < kStride; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < kDepth; ++k)
          if (n < kOut) sum += static_cast<double>(x[static_cast<size_t>(m * kStride + k)]) * static_cast<double>(w[static_cast<size_t>(n * kStride + k)]);
        CHECK(static_cast<double>(y[static_cast<size_t>(m * kStride + n)]) == doctest::Approx(n < kOut ? sum : kUntouched).epsilon(1e-5));
      }
  });
}

// Every half there is, against its definition.
TEST_CASE_TEMPLATE("halves are widened exactly", S, float, double) {
  with_each_instruction_set([] {
    std::vector<uint16_t> halves(65536);
    for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
    std::vector<S> wide(halves.size());
    nn::widen_row({halves.data(), nn::WeightType::kF16, 1, 65536}, 0, wide.data());
    // An odd count and an odd start take the other paths.
    std::vector<S> tail(1023);
    nn::kernels<S>().widen_half(halves.data() + 1, tail.data(), 1023);
    int wrong = 0;
    for (size_t i = 0; i < halves.size(); ++i) {
      const int exponent = (halves[i] >> 10) & 31, mantissa = halves[i] & 1023;
      const double sign = halves[i] & 0x8000 ? -1 : 1;
      double expected = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
      if (exponent == 31) expected = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
      expected *= sign;
      const auto same = [&](S got) {
        return std::isnan(expected) ? std::isnan(got)
                                    : static_cast<double>(got) == expected && std::signbit(got) == std::signbit(expected);
      };
      wrong += !same(wide[i]);
      if (i >= 1 && i < 1024) wrong += !same(tail[i - 1]);
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE_TEMPLATE("one row of weights of any type", S, float, double) {
  RandomNumbers random(8);
  const auto numbers = random_vector<double>(random, 3 * 13);
  for (const nn::WeightType type : kTypes) {
    const StoredWeights w(type, numbers);
    std::vector<S> row(13);
    nn::widen_row(w.view(3, 13), 1, row.data());
    for (size_t i = 0; i < 13; ++i) CHECK(row[i] == static_cast<S>(w.values[13 + i]));
  }
}

TEST_CASE("infinite and undefined weights reach the result") {
  with_each_instruction_set([] {
    const std::vector<float> x(9, 1.0f);
    for (const uint16_t bad : {uint16_t{0x7c00}, uint16_t{0xfc00}, uint16_t{0x7e00}}) {
      std::vector<uint16_t> w(9, 0x3c00);
      w[8] = bad;
      float y = 0;
      nn::linear<float>(x.data(), 1, {w.data(), nn::WeightType::kF16, 1, 9}, nullptr, &y);
      CHECK_FALSE(std::isfinite(y));
    }
  });
}

TEST_CASE("the instruction set has a name that users know") {
  const std::string_view name = nn::instruction_set();
  const std::vector<std::string_view> known = {"avx512", "avx2", "sse2", "neon", "wasm-simd", "wasm-relaxed-simd"};
  CHECK(std::find(known.begin(), known.end(), name) != known.end());
}

}  // namespace
