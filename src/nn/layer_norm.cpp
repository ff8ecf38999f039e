#include "nn/layer_norm.h"

#include <cmath>

namespace nullscope::nn {

template <class S>
void layer_norm(const S* x, int64_t rows, int64_t channels, const S* gamma, const S* beta, double eps, S* y) {
  constexpr int kSums = 8;  // independent sums, so that the loop can run in vectors in a fixed order
  for (int64_t row = 0; row < rows; ++row) {
    const S* from = x + row * channels;
    S* to = y + row * channels;
    double sums[kSums] = {};
    for (int64_t c = 0; c < channels; ++c) sums[c % kSums] += static_cast<double>(from[c]);
    double mean = 0;
    for (const double sum : sums) mean += sum;
    mean /= static_cast<double>(channels);
    double squares[kSums] = {};
    for (int64_t c = 0; c < channels; ++c) {
      const double centred = static_cast<double>(from[c]) - mean;
      squares[c % kSums] += centred * centred;
    }
    double variance = 0;
    for (const double sum : squares) variance += sum;
    variance /= static_cast<double>(channels);
    // A row without spread has nothing to scale: its output is beta, for any eps.
    const double scale = variance > 0 ? 1 / std::sqrt(variance + eps) : 0;
    for (int64_t c = 0; c < channels; ++c)
      to[c] = static_cast<S>((static_cast<double>(from[c]) - mean) * scale) * gamma[c] + beta[c];
  }
}

template void layer_norm(const float*, int64_t, int64_t, const float*, const float*, double, float*);
template void layer_norm(const double*, int64_t, int64_t, const double*, const double*, double, double*);

}  // namespace nullscope::nn
