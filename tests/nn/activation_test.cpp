#include "nn/activation.h"

#include <limits>

#include "instruction_sets.h"
#include "support/naive_nn.h"
#include "support/tolerances.h"

namespace {

using namespace nullscope;
using namespace nullscope::test;
using nn::Activation;

constexpr Activation kAll[] = {Activation::kGelu, Activation::kGeluTanh, Activation::kRelu,
                               Activation::kSilu, Activation::kTanh,     Activation::kQuickGelu};

// The size of the exponent inside the sigmoid, once for each unit in the last place that it can be
// off by: that error is the result's.
double exponent_of(Activation activation, double x) {
  if (activation == Activation::kGeluTanh) return 2 * std::abs(1.595769 * (x + .044715 * x * x * x));
  if (activation == Activation::kSilu) return std::abs(x);
  if (activation == Activation::kQuickGelu) return std::abs(1.702 * x);
  return 0;
}

TEST_CASE("the float activations are the double ones, -30 to 30") {
  std::vector<float> x;
  for (int i = -30 * 512; i <= 30 * 512; ++i) x.push_back(static_cast<float>(i) / 512);
  for (int i = 1; i < 60; ++i) x.push_back(std::ldexp(1.5f, -i)), x.push_back(-std::ldexp(1.5f, -i));
  with_each_instruction_set([&] {
    for (const Activation activation : kAll) {
      CAPTURE(nn::activation_name(activation));
      std::vector<float> y(x.size());
      nn::activate(activation, x.data(), y.data(), static_cast<int64_t>(x.size()));
      std::vector<double> expected, unit;
      for (const float at : x) {
        const double value = naive_activation(activation, static_cast<double>(at));
        const double units = kActivationUnits + exponent_of(activation, static_cast<double>(at));
        expected.push_back(value);
        // Results below the normal numbers may become zero.
        unit.push_back(units * std::abs(value) * 0x1p-23 + kActivationZero);
      }
      CHECK(worst_difference(y, expected, unit) <= 1);
    }
  });
}

TEST_CASE("the double activations") {
  for (const Activation activation : kAll)
    for (double x = -30; x <= 30; x += 1.0 / 16) {
      CAPTURE(nn::activation_name(activation));
      CAPTURE(x);
      double y = 0;
      nn::activate(activation, &x, &y, 1);
      CHECK(std::abs(y - naive_activation(activation, x)) <= kDoubleActivation * (1 + std::abs(x)));
    }
}

TEST_CASE("values done by hand") {
  const float x[] = {0, 1, -1, 3};
  float y[4];
  nn::activate(Activation::kGelu, x, y, 4);
  CHECK(y[0] == 0);
  CHECK(static_cast<double>(y[1]) == doctest::Approx(.8413447461).epsilon(1e-6));  // Phi(1)
  CHECK(static_cast<double>(y[2]) == doctest::Approx(-.1586552539).epsilon(1e-6));
  CHECK(static_cast<double>(y[3]) == doctest::Approx(2.9959503).epsilon(1e-6));
}

TEST_CASE("far from zero an activation is x, or nothing") {
  with_each_instruction_set([] {
    for (const float far : {50.0f, 1e4f, 1e15f, 1e30f, std::numeric_limits<float>::max()})
      for (const Activation activation : {Activation::kGelu, Activation::kGeluTanh, Activation::kRelu, Activation::kSilu, Activation::kQuickGelu}) {
        CAPTURE(nn::activation_name(activation));
        CAPTURE(far);
        const float x[] = {far, -far};
        float y[2];
        nn::activate(activation, x, y, 2);
        CHECK(y[0] == far);
        CHECK(std::abs(static_cast<double>(y[1])) < 1e-19);
      }
  });
}

TEST_CASE("not-a-number stays") {
  with_each_instruction_set([] {
    for (const Activation activation : kAll) {
      CAPTURE(nn::activation_name(activation));
      const float x = std::numeric_limits<float>::quiet_NaN();
      const double wide = std::numeric_limits<double>::quiet_NaN();
      float y = 0;
      double wide_y = 0;
      nn::activate(activation, &x, &y, 1);
      nn::activate(activation, &wide, &wide_y, 1);
      CHECK(std::isnan(y));
      CHECK(std::isnan(wide_y));
    }
  });
}

TEST_CASE("any length, and in place") {
  RandomNumbers random(3);
  const auto x = random_vector<float>(random, 70, 4);
  with_each_instruction_set([&] {
    std::vector<float> all(x.size());
    nn::activate(Activation::kGelu, x.data(), all.data(), static_cast<int64_t>(x.size()));
    for (size_t count = 1; count < x.size(); ++count) {
      std::vector<float> y(x.data(), x.data() + count);
      nn::activate(Activation::kGelu, y.data(), y.data(), static_cast<int64_t>(count));
      CHECK(std::equal(y.begin(), y.end(), all.begin()));
    }
  });
}

TEST_CASE("names are Hugging Face's, and no other") {
  CHECK(nn::activation_from_name("gelu") == Activation::kGelu);
  CHECK(nn::activation_from_name("gelu_new") == Activation::kGeluTanh);
  CHECK(nn::activation_from_name("gelu_fast") == Activation::kGeluTanh);
  CHECK(nn::activation_from_name("swish") == Activation::kSilu);
  CHECK(nn::activation_from_name("GELU") == std::nullopt);
  CHECK(nn::activation_from_name("") == std::nullopt);
  for (const Activation activation : kAll) CHECK(nn::activation_from_name(nn::activation_name(activation)) == activation);
}

}  // namespace
