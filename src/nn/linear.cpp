#include "nn/linear.h"

#include "nn/matmul.h"

namespace nullscope::nn {

template <class S>
void linear(const S* x, int64_t rows, const WeightView& weight, const S* bias, S* y, const Parallel* parallel) {
  matmul(x, weight.cols, rows, weight.cols, {weight.data, weight.type, weight.rows, weight.cols}, bias, y, weight.rows, parallel);
}

template void linear(const float*, int64_t, const WeightView&, const float*, float*, const Parallel*);
template void linear(const double*, int64_t, const WeightView&, const double*, double*, const Parallel*);

}  // namespace nullscope::nn
