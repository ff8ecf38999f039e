#include "nn/weight_view.h"

#include "nn/kernel_set.h"

namespace nullscope::nn {

template <class S>
void widen_row(const WeightView& view, int64_t row, S* out) {
  const int64_t first = row * view.cols;
  switch (view.type) {
    case WeightType::kF16:
      kernels<S>().widen_half(static_cast<const uint16_t*>(view.data) + first, out, view.cols);
      break;
    case WeightType::kF32: {
      const float* from = static_cast<const float*>(view.data) + first;
      for (int64_t i = 0; i < view.cols; ++i) out[i] = static_cast<S>(from[i]);
      break;
    }
    case WeightType::kF64: {
      const double* from = static_cast<const double*>(view.data) + first;
      for (int64_t i = 0; i < view.cols; ++i) out[i] = static_cast<S>(from[i]);
      break;
    }
  }
}

template void widen_row(const WeightView&, int64_t, float*);
template void widen_row(const WeightView&, int64_t, double*);

}  // namespace nullscope::nn
