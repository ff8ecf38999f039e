#include "model/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace nullscope::model {

template <class S>
TopPredictions top_predictions(const Tensor<S>& logits, int k) {
  const int64_t positions = logits.dim(0), vocabulary = logits.dim(1), count = std::min<int64_t>(k, vocabulary);
  TopPredictions top{Tensor<int64_t>({positions, count}), Tensor<double>({positions, count})};
  std::vector<int64_t> order(static_cast<size_t>(vocabulary));
  for (int64_t t = 0; t < positions; ++t) {
    const S* row = logits.block(t);
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [row](int64_t a, int64_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
    const double largest = static_cast<double>(row[order[0]]);
    double sum = 0;
    for (int64_t i = 0; i < vocabulary; ++i) sum += std::exp(static_cast<double>(row[i]) - largest);
    for (int64_t i = 0; i < count; ++i) {
      top.ids(t, i) = order[static_cast<size_t>(i)];
      top.probabilities(t, i) = std::exp(static_cast<double>(row[order[static_cast<size_t>(i)]]) - largest) / sum;
    }
  }
  return top;
}

template TopPredictions top_predictions(const Tensor<float>&, int);
template TopPredictions top_predictions(const Tensor<double>&, int);

}  // namespace nullscope::model
