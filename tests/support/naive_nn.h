// The kernels of nn/ as slow, obvious loops in double: the judges of the fast ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "nn/activation.h"
#include "nn/attention.h"

namespace nullscope::test {

// y[m, n] = sum_k x[m, k] w[n, k] + bias[n]; bias may be empty.
struct NaiveProduct {
  std::vector<double> y;
  std::vector<double> size;  // sum_k |x w| + |bias|, what rounding errors are measured against
};
template <class X, class W>
NaiveProduct naive_linear(const std::vector<X>& x, int64_t rows, const std::vector<W>& w, int64_t out, int64_t in,
                          const std::vector<X>& bias) {
  NaiveProduct result;
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t n = 0; n < out; ++n) {
      double sum = bias.empty() ? 0 : static_cast<double>(bias[static_cast<size_t>(n)]), size = std::abs(sum);
      for (int64_t k = 0; k < in; ++k) {
        const double term = static_cast<double>(x[static_cast<size_t>(m * in + k)]) * static_cast<double>(w[static_cast<size_t>(n * in + k)]);
        sum += term;
        size += std::abs(term);
      }
      result.y.push_back(sum);
      result.size.push_back(size);
    }
  return result;
}

inline double naive_activation(nn::Activation activation, double x) {
  const double pi = std::acos(-1.0);
  switch (activation) {
    case nn::Activation::kGelu: return x * .5 * std::erfc(-x / std::sqrt(2.0));
    // x/2 (1 + tanh z) = x / (1 + exp(-2z)), which keeps its digits where tanh is near -1.
    case nn::Activation::kGeluTanh: return x / (1 + std::exp(-2 * std::sqrt(2 / pi) * (x + .044715 * x * x * x)));
    case nn::Activation::kRelu: return std::max(x, 0.0);
    case nn::Activation::kSilu: return x / (1 + std::exp(-x));
    case nn::Activation::kTanh: return std::tanh(x);
    case nn::Activation::kQuickGelu: return x / (1 + std::exp(-1.702 * x));
  }
  return std::nan("");
}

template <class S>
std::vector<double> naive_layer_norm(const std::vector<S>& row, const std::vector<S>& gamma, const std::vector<S>& beta, double eps) {
  const auto count = static_cast<double>(row.size());
  double mean = 0, variance = 0;
  for (const S x : row) mean += static_cast<double>(x) / count;
  for (const S x : row) variance += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / count;
  std::vector<double> y;
  for (size_t i = 0; i < row.size(); ++i)
    y.push_back(static_cast<double>(gamma[i]) * (static_cast<double>(row[i]) - mean) / std::sqrt(variance + eps) + static_cast<double>(beta[i]));
  return y;
}

// Softmax over the keys that `mask` keeps (all when it is empty); uniform when it keeps none.
inline std::vector<double> naive_softmax(const std::vector<double>& scores, const std::vector<int>& mask) {
  const auto kept = [&](size_t key) { return mask.empty() || mask[key] != 0; };
  double largest = -INFINITY, sum = 0;
  for (size_t key = 0; key < scores.size(); ++key)
    if (kept(key)) largest = std::max(largest, scores[key]);
  std::vector<double> probs(scores.size());
  for (size_t key = 0; key < scores.size(); ++key)
    if (kept(key)) sum += probs[key] = std::exp(scores[key] - largest);
  for (double& p : probs) p = sum > 0 ? p / sum : 1 / static_cast<double>(scores.size());
  return probs;
}

struct NaiveAttention {
  std::vector<double> scores, probs, context;  // [H, T, T], [H, T, T], [T, H, D]
};
template <class S>
NaiveAttention naive_attention(const nn::AttentionShape& shape, const std::vector<S>& query, const std::vector<S>& key,
                               const std::vector<S>& value, const std::vector<int>& mask) {
  const auto [tokens, heads, size] = shape;
  const auto at = [&](const std::vector<S>& x, int64_t token, int64_t head, int64_t d) {
    return static_cast<double>(x[static_cast<size_t>((token * heads + head) * size + d)]);
  };
  NaiveAttention result;
  result.context.resize(value.size());
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t q = 0; q < tokens; ++q) {
      std::vector<double> row;
      for (int64_t k = 0; k < tokens; ++k) {
        double dot = 0;
        for (int64_t d = 0; d < size; ++d) dot += at(query, q, head, d) * at(key, k, head, d);
        row.push_back(dot / std::sqrt(static_cast<double>(size)));
      }
      const std::vector<double> probs = naive_softmax(row, mask);
      result.scores.insert(result.scores.end(), row.begin(), row.end());
      result.probs.insert(result.probs.end(), probs.begin(), probs.end());
      for (int64_t d = 0; d < size; ++d)
        for (int64_t k = 0; k < tokens; ++k)
          result.context[static_cast<size_t>((q * heads + head) * size + d)] += probs[static_cast<size_t>(k)] * at(value, k, head, d);
    }
  return result;
}

}  // namespace nullscope::test
