// The likeliest words at each position: softmax over the vocabulary of mlm_logits.
#pragma once

#include "core/tensor.h"

namespace nullscope::model {

struct TopPredictions {
  Tensor<int64_t> ids;           // [T, k] token ids, likeliest first; the smaller id on ties
  Tensor<double> probabilities;  // [T, k]
};

// `logits` [T, V]; k is lowered to V when larger. The normaliser is summed in double.
template <class S>
TopPredictions top_predictions(const Tensor<S>& logits, int k);

}  // namespace nullscope::model
