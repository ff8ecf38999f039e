// Half precision by hand and against every one of its 65,536 values.
#include "core/tensor_bundle.h"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

using namespace nullscope;

TEST_CASE("half to float: values done by hand") {
  CHECK(half_to_float(0x3c00) == 1.0f);
  CHECK(half_to_float(0xc000) == -2.0f);
  CHECK(half_to_float(0x7bff) == 65504.0f);
  CHECK(half_to_float(0x0001) == 0x1p-24f);
  CHECK(half_to_float(0x83ff) == -1023 * 0x1p-24f);
  CHECK(std::isinf(half_to_float(0x7c00)));
  CHECK(std::isnan(half_to_float(0x7e00)));
  CHECK(std::signbit(half_to_float(0x8000)));
}

TEST_CASE("float to half returns every half value, subnormals too") {
  for (uint32_t h = 0; h < 65536; ++h) {
    const float f = half_to_float(static_cast<uint16_t>(h));
    if (std::isnan(f)) {
      CHECK(std::isnan(half_to_float(float_to_half(f))));
    } else {
      REQUIRE(float_to_half(f) == h);
    }
  }
}

TEST_CASE("float to half rounds to nearest, ties to even") {
  CHECK(float_to_half(1.0f + 0x1p-11f) == 0x3c00);              // tie, down to even
  CHECK(float_to_half(1.0f + 3 * 0x1p-11f) == 0x3c02);          // tie, up to even
  CHECK(float_to_half(1.0f + 0x1p-11f + 0x1p-20f) == 0x3c01);   // past the tie
  CHECK(float_to_half(65519.0f) == 0x7bff);
  CHECK(float_to_half(65520.0f) == 0x7c00);                     // rounds to infinity
  CHECK(float_to_half(0x1p-25f) == 0x0000);                     // tie with zero
  CHECK(float_to_half(std::nextafter(0x1p-25f, 1.0f)) == 0x0001);
}

TEST_CASE("a tensor goes through its bytes unchanged") {
  Tensor<float> t({2, 3});
  for (int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<float>(i) - 2.5f;
  const auto back = AnyTensor::from(t).to_double();
  REQUIRE(back);
  CHECK(back->shape() == Shape{2, 3});
  CHECK((*back)(1, 2) == 2.5);
  const auto half = AnyTensor::f16_from(t).to_float();
  REQUIRE(half);
  CHECK((*half)(0, 0) == -2.5f);
  CHECK(!AnyTensor::from(t).to_int());
}
