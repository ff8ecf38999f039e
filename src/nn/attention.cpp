#include "nn/attention.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "nn/kernel_set.h"
#include "nn/matmul.h"

namespace nullscope::nn {
namespace {

template <class S>
constexpr WeightType kOwnType = std::is_same_v<S, float> ? WeightType::kF32 : WeightType::kF64;

}  // namespace

template <class S>
void attention_scores(const AttentionShape& shape, const S* query, const S* key, S* scores, const Parallel* parallel) {
  const auto [tokens, heads, size] = shape;
  const int64_t stride = heads * size;
  const S scale = static_cast<S>(1 / std::sqrt(static_cast<double>(size)));
  run_tasks(parallel, static_cast<int>(heads), [&](int head) {
    S* to = scores + head * tokens * tokens;
    matmul<S>(query + head * size, stride, tokens, size, {key + head * size, kOwnType<S>, tokens, stride}, nullptr, to, tokens, nullptr);
    for (int64_t i = 0; i < tokens * tokens; ++i) to[i] *= scale;
  });
}

template <class S>
void attention_probs(const AttentionShape& shape, const S* scores, const int* key_mask, S* probs, const Parallel* parallel) {
  const int64_t tokens = shape.tokens;
  std::vector<int64_t> kept;
  for (int64_t key = 0; key < tokens; ++key)
    if (key_mask == nullptr || key_mask[key] != 0) kept.push_back(key);
  const auto kept_count = static_cast<int64_t>(kept.size());
  run_tasks(parallel, static_cast<int>(shape.heads), [&](int head) {
    std::vector<S> row(kept.size());
    for (int64_t query = 0; query < tokens; ++query) {
      const S* from = scores + (head * tokens + query) * tokens;
      S* to = probs + (head * tokens + query) * tokens;
      if (kept_count == tokens) {
        kernels<S>().softmax_row(from, to, tokens);
      } else if (kept_count == 0) {
        std::fill(to, to + tokens, static_cast<S>(1.0 / static_cast<double>(tokens)));
      } else {
        for (size_t i = 0; i < kept.size(); ++i) row[i] = from[kept[i]];
        kernels<S>().softmax_row(row.data(), row.data(), kept_count);
        std::fill(to, to + tokens, S(0));
        for (size_t i = 0; i < kept.size(); ++i) to[kept[i]] = row[i];
      }
    }
  });
}

template <class S>
void attention_context(const AttentionShape& shape, const S* probs, const S* value, S* context, const Parallel* parallel) {
  const auto [tokens, heads, size] = shape;
  const int64_t stride = heads * size;
  run_tasks(parallel, static_cast<int>(heads), [&](int head) {
    std::vector<S> transposed(static_cast<size_t>(size * tokens));  // [D, T]: rows of w in the product
    kernels<S>().pack(value + head * size, stride, tokens, size, tokens, transposed.data());
    matmul<S>(probs + head * tokens * tokens, tokens, tokens, tokens, {transposed.data(), kOwnType<S>, size, tokens}, nullptr,
              context + head * size, stride, nullptr);
  });
}

template void attention_scores(const AttentionShape&, const float*, const float*, float*, const Parallel*);
template void attention_scores(const AttentionShape&, const double*, const double*, double*, const Parallel*);
template void attention_probs(const AttentionShape&, const float*, const int*, float*, const Parallel*);
template void attention_probs(const AttentionShape&, const double*, const int*, double*, const Parallel*);
template void attention_context(const AttentionShape&, const float*, const float*, float*, const Parallel*);
template void attention_context(const AttentionShape&, const double*, const double*, double*, const Parallel*);

}  // namespace nullscope::nn
