#include "analysis/expansion_rate.h"

#include <cmath>
#include <string>

#include "nn/linear.h"

namespace nullscope::analysis {
namespace {

std::vector<double> widened(const model::Weight& weight) {
  std::vector<double> out(static_cast<size_t>(weight.rows() * weight.cols()));
  for (int64_t row = 0; row < weight.rows(); ++row) nn::widen_row(weight.view(), row, out.data() + row * weight.cols());
  return out;
}

double dot(const double* a, const double* b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

ExpansionRate rate_of(const model::LayerWeights& layer) {
  const auto channels = static_cast<size_t>(layer.value.weight.rows());
  // Weights are [out, in]: row i of `value` [C, C] holds the input weights of value channel i.
  const std::vector<double> value = widened(layer.value.weight), value_bias = widened(layer.value.bias);
  const std::vector<double> output_bias = widened(layer.self_output.bias);
  // (W_V W_O)^T = output value: linear() computes x W^T for rows x, so rows of value^T give it.
  std::vector<double> transposed(channels * channels), product(channels * channels), bias(channels);
  for (size_t i = 0; i < channels; ++i)
    for (size_t j = 0; j < channels; ++j) transposed[j * channels + i] = value[i * channels + j];
  nn::linear<double>(transposed.data(), static_cast<int64_t>(channels), layer.self_output.weight.view(), nullptr, product.data());
  nn::linear<double>(value_bias.data(), 1, layer.self_output.weight.view(), nullptr, bias.data());
  const double linear_part = dot(product.data(), product.data(), product.size());

  double affine = linear_part + 1, script = linear_part;
  for (size_t c = 0; c < channels; ++c) {
    affine += (bias[c] + output_bias[c]) * (bias[c] + output_bias[c]);
    const double column = dot(&transposed[c * channels], output_bias.data(), channels);
    script += bias[c] * bias[c] + column * column;
  }
  const double corner = dot(value_bias.data(), output_bias.data(), channels) + 1;
  const double count = static_cast<double>(channels + 1);
  return {std::sqrt(affine / count), std::sqrt((script + corner * corner) / count)};
}

}  // namespace

Result<std::vector<ExpansionRate>> expansion_rates(const model::BertWeights& weights) {
  std::vector<ExpansionRate> rates;
  for (size_t layer = 0; layer < weights.layers.size(); ++layer) {
    if (!weights.layer_ready(static_cast<int>(layer)))
      return fail(ErrorCode::kMissing, "layer " + std::to_string(layer) + " of the model is not loaded");
    rates.push_back(rate_of(weights.layers[layer]));
  }
  return rates;
}

}  // namespace nullscope::analysis
