// Naive token identity: can a token still be recognised at a given depth by looking for the
// nearest input embedding of the same sequence?
//
//   e_i  = hidden_states[depth][i]                                 [C]
//   x_k  = the candidates: input embeddings of this sequence       [T, C]
//   nearest_i = argmin_k dist(e_i, x_k), smallest k on ties; identified when nearest_i == i
//   dist = 1 - cosine (1 when a vector is zero), or the L2 norm of the difference
//
// Brunner et al. 2020, section 4 (there g = identity is the "naive" map). Input before the
// embedding LayerNorm is `embedding_sum`, after it `hidden_states[0]` (default: the published
// level is met only there). Chance is 1/T; depth 0 with the "after" input is always 100 %.
#pragma once

#include <vector>

#include "core/result.h"
#include "core/tensor.h"
#include "model/forward_trace.h"

namespace nullscope::probe {

enum class IdentityInput { kBeforeLayerNorm, kAfterLayerNorm };
enum class IdentityDistance { kCosine, kL2 };

struct TokenIdentity {
  Tensor<int64_t> nearest;  // [L+1, T] index of the nearest candidate
  Tensor<double> distance;  // [L+1, T] distance to it
  std::vector<double> rate; // [L+1] share of tokens identified
};

// kMissing when the trace lacks the sites it needs.
template <class S>
Result<TokenIdentity> token_identity(const model::ForwardTrace<S>& trace, IdentityInput input,
                                     IdentityDistance distance);

}  // namespace nullscope::probe
