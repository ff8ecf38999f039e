#include "probe/token_identity.h"

#include <cmath>
#include <limits>

namespace nullscope::probe {
namespace {

template <class S>
double dot(const S* a, const S* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// L2 norms of rows.
template <class S>
std::vector<double> norms(const Tensor<S>& rows) {
  std::vector<double> out;
  for (int64_t i = 0; i < rows.dim(0); ++i) out.push_back(std::sqrt(dot(rows.block(i), rows.block(i), rows.dim(1))));
  return out;
}

template <class S>
double l2(const S* a, const S* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

double cosine_distance(double product, double norms) { return norms > 0 ? 1 - product / norms : 1; }

}  // namespace

template <class S>
Result<TokenIdentity> token_identity(const model::ForwardTrace<S>& trace, IdentityInput input, IdentityDistance distance) {
  const bool before = input == IdentityInput::kBeforeLayerNorm;
  const Tensor<S>* candidates = trace.find(before ? model::Site::kEmbeddingSum : model::Site::kHiddenStates, 0);
  if (candidates == nullptr)
    return fail(ErrorCode::kMissing, std::string("the trace kept no ") + (before ? "embedding_sum" : "hidden_states[0]"));
  const int64_t tokens = candidates->dim(0), channels = candidates->dim(1);
  const auto depths = static_cast<int64_t>(trace.hidden_states.size());
  const std::vector<double> candidate_norms = norms(*candidates);
  TokenIdentity result{Tensor<int64_t>({depths, tokens}), Tensor<double>({depths, tokens}), {}};
  for (int64_t depth = 0; depth < depths; ++depth) {
    const Tensor<S>* hidden = trace.find(model::Site::kHiddenStates, static_cast<int>(depth));
    if (hidden == nullptr) return fail(ErrorCode::kMissing, "the trace kept no hidden_states[" + std::to_string(depth) + "]");
    const std::vector<double> hidden_norms = norms(*hidden);
    int64_t found = 0;
    for (int64_t i = 0; i < tokens; ++i) {
      double best = std::numeric_limits<double>::infinity();
      int64_t nearest = 0;
      for (int64_t k = 0; k < tokens; ++k) {
        const double d = distance == IdentityDistance::kL2
                             ? l2(hidden->block(i), candidates->block(k), channels)
                             : cosine_distance(dot(hidden->block(i), candidates->block(k), channels),
                                               hidden_norms[static_cast<size_t>(i)] * candidate_norms[static_cast<size_t>(k)]);
        if (d < best) {
          best = d;
          nearest = k;
        }
      }
      result.nearest(depth, i) = nearest;
      result.distance(depth, i) = best;
      found += nearest == i;
    }
    result.rate.push_back(static_cast<double>(found) / static_cast<double>(tokens));
  }
  return result;
}

template Result<TokenIdentity> token_identity(const model::ForwardTrace<float>&, IdentityInput, IdentityDistance);
template Result<TokenIdentity> token_identity(const model::ForwardTrace<double>&, IdentityInput, IdentityDistance);

}  // namespace nullscope::probe
