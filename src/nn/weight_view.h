// WeightView: a parameter matrix as the checkpoint stores it, [out, in], row-major,
// in its own number type. Kernels widen while they pack: F16 weights are never
// copied to F32 in memory.
#pragma once

#include <cstdint>

namespace nullscope::nn {

enum class WeightType { kF16, kF32, kF64 };

struct WeightView {
  const void* data = nullptr;  // naturally aligned for `type`
  WeightType type = WeightType::kF32;
  int64_t rows = 0;            // out features (1 for a vector)
  int64_t cols = 0;            // in features (length of a vector)
};

// out[0..cols) = row `row` of the view, widened (or narrowed from F64) to S.
template <class S>
void widen_row(const WeightView& view, int64_t row, S* out);

}  // namespace nullscope::nn
