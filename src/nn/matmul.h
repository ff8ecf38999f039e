// The blocked product behind linear maps and attention.
//
//   y[m, n] = sum_k x[m, k] w[n, k] + bias[n]      m < rows, n < w.rows, k < depth
//
// rows = 0 does nothing. A number of y depends on its row of x and its row of w only: not on
// how many rows are computed together, nor on the number of threads. Sums run over k in
// blocks of kDepthBlock.
#pragma once

#include <cstdint>

#include "nn/parallel.h"
#include "nn/weight_view.h"

namespace nullscope::nn {

// Rows of w, `stride` numbers apart.
struct RowsView {
  const void* data;
  WeightType type;
  int64_t rows;
  int64_t stride;
};

inline constexpr int64_t kDepthBlock = 768;

template <class S>
void matmul(const S* x, int64_t x_stride, int64_t rows, int64_t depth, const RowsView& w, const S* bias, S* y,
            int64_t y_stride, const Parallel* parallel);

}  // namespace nullscope::nn
