// Scaled dot-product attention for all heads of one layer.
//
//   scores[h, q, k]  = query[q, h] . key[k, h] / sqrt(D)
//   probs[h, q, :]   = softmax(scores[h, q, :])           masked keys get exactly 0
//   context[q, h]    = sum_k probs[h, q, k] value[k, h]
//
// query, key, value, context are [T, H, D]; scores and probs [H, T, T], rows are queries.
// Vaswani et al. 2017.
#pragma once

#include <cstdint>

#include "nn/parallel.h"

namespace nullscope::nn {

struct AttentionShape {
  int64_t tokens = 0;     // T
  int64_t heads = 0;      // H
  int64_t head_size = 0;  // D
};

template <class S>
void attention_scores(const AttentionShape& shape, const S* query, const S* key, S* scores,
                      const Parallel* parallel = nullptr);

// `key_mask` is [T], 1 = attend, 0 = padding, or null for none. When every key is masked
// the row is uniform over all keys, as Hugging Face's additive mask gives. scores and
// probs may be the same array.
template <class S>
void attention_probs(const AttentionShape& shape, const S* scores, const int* key_mask, S* probs,
                     const Parallel* parallel = nullptr);

template <class S>
void attention_context(const AttentionShape& shape, const S* probs, const S* value, S* context,
                       const Parallel* parallel = nullptr);

}  // namespace nullscope::nn
