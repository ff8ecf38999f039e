#include "nn/layer_norm.h"

#include "nn/kernel_set.h"

namespace nullscope::nn {

template <class S>
void layer_norm(const S* x, int64_t rows, int64_t channels, const S* gamma, const S* beta, double eps, S* y) {
  for (int64_t row = 0; row < rows; ++row)
    kernels<S>().layer_norm_row(x + row * channels, channels, gamma, beta, eps, y + row * channels);
}

template void layer_norm(const float*, int64_t, int64_t, const float*, const float*, double, float*);
template void layer_norm(const double*, int64_t, int64_t, const double*, const double*, double, double*);

}  // namespace nullscope::nn
