// Numbers of the independent implementation in tests/golden, and comparisons with them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tensor_bundle.h"
#include "io/safetensors.h"
#include "model/forward_trace.h"
#include "support/files.h"
#include "support/tolerances.h"

namespace nullscope::test {

enum class GoldenModel { kToy, kBase };

// Of float32 arithmetic; `tensor` without what follows the site's name.
inline double float_tolerance(std::string_view tensor, GoldenModel model) {
  for (const GoldenTolerance& row : kGoldenFloat)
    if (row.tensor == tensor) return model == GoldenModel::kToy ? row.toy : row.base;
  FAIL("no tolerance for " << tensor);
  return 0;
}

inline model::ModelInput golden_input(const std::string& text) {
  const nlohmann::json json = read_json("golden/" + text + "/input.json");
  return {json["ids"].get<std::vector<int>>(), json["segments"].get<std::vector<int>>(), {}};
}

inline TensorBundle golden(const std::string& path) {
  const std::string bytes = read_text("golden/" + path + ".safetensors");
  Result<TensorBundle> bundle = io::read_bundle(std::as_bytes(std::span(bytes)), path);
  REQUIRE_MESSAGE(bundle, bundle.error().message);
  return *std::move(bundle);
}

inline const AnyTensor& find_tensor(const TensorBundle& bundle, const std::string& name) {
  const AnyTensor* tensor = bundle.find(name);
  REQUIRE_MESSAGE(tensor != nullptr, "no tensor " << name);
  return *tensor;
}
inline Tensor<double> numbers(const TensorBundle& bundle, const std::string& name) {
  return find_tensor(bundle, name).to_double().value();
}
inline Tensor<int64_t> integers(const TensorBundle& bundle, const std::string& name) {
  return find_tensor(bundle, name).to_int().value();
}

inline std::string index_text(int64_t flat, const Shape& shape) {
  std::string text;
  for (size_t axis = shape.size(); axis-- > 0; flat /= shape[axis])
    text = std::to_string(flat % shape[axis]) + (text.empty() ? "" : ", ") + text;
  return "[" + text + "]";
}

// |found - expected| <= tolerance x scale everywhere; not-a-number must meet not-a-number.
inline void check_within(const std::string& name, const Tensor<double>& found, const Tensor<double>& expected,
                         double tolerance, double scale) {
  REQUIRE_MESSAGE(found.shape() == expected.shape(), name << ": another shape");
  double worst = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < found.size(); ++i) {
    const double x = found.data()[i], y = expected.data()[i];
    double gap = std::abs(x - y);
    if (std::isnan(gap)) gap = std::isnan(x) && std::isnan(y) ? 0 : INFINITY;
    if (gap > worst) {
      worst = gap;
      at = i;
    }
  }
  std::ostringstream message;
  message << name;
  if (worst > 0)
    message << ": " << found.data()[at] << " instead of " << expected.data()[at] << " at "
            << index_text(at, found.shape()) << ", off by " << worst / scale;
  CHECK_MESSAGE(worst <= tolerance * scale, message.str());
}

// The measure of golden/README: |found - expected| <= tolerance x the largest |expected|.
inline void check_close(const std::string& name, const Tensor<double>& found, const Tensor<double>& expected,
                        double tolerance) {
  double largest = 0;
  for (const double x : expected.values())
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  check_within(name, found, expected, tolerance, largest);
}

// What is zero in theory and rounding noise in practice.
inline void check_absolute(const std::string& name, const Tensor<double>& found, const Tensor<double>& expected,
                           double tolerance) {
  check_within(name, found, expected, tolerance, 1);
}

inline void check_equal(const std::string& name, const Tensor<int64_t>& found, const Tensor<int64_t>& expected) {
  REQUIRE_MESSAGE(found.shape() == expected.shape(), name << ": another shape");
  for (int64_t i = 0; i < found.size(); ++i)
    CHECK_MESSAGE(found.data()[i] == expected.data()[i], name << " at " << index_text(i, found.shape()));
}

// The blocks of the first axis at `rows`, as golden/base stores some layers only.
inline Tensor<double> rows_of(const Tensor<double>& tensor, const std::vector<int>& rows) {
  Shape shape = tensor.shape();
  shape[0] = static_cast<int64_t>(rows.size());
  Tensor<double> out(shape);
  for (size_t i = 0; i < rows.size(); ++i)
    std::copy_n(tensor.block(rows[i]), tensor.block_size(), out.block(static_cast<int64_t>(i)));
  return out;
}

}  // namespace nullscope::test
