// Layer normalisation over channels, per token:
//
//   y = gamma (x - mean x) / sqrt(var x + eps) + beta      var = population variance
//
// Mean and variance are accumulated in double for either S. Ba et al. 2016.
#pragma once

#include <cstdint>

namespace nullscope::nn {

// x, y [rows, channels], gamma, beta [channels]; x and y may be the same array.
template <class S>
void layer_norm(const S* x, int64_t rows, int64_t channels, const S* gamma, const S* beta, double eps, S* y);

}  // namespace nullscope::nn
