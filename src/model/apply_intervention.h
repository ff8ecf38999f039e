// Interventions, checked before a pass and applied while it runs.
#pragma once

#include "core/result.h"
#include "model/forward_trace.h"
#include "model/intervention.h"
#include "model/weights.h"

namespace nullscope::model {

// Site, layer or depth, head and position exist, the values are finite and exactly as many as
// the selection has numbers; kMissing (no such head of the model), kBadIndex, kBadOption,
// kBadShape or kNotFinite names the intervention and the limit.
Status check_interventions(const BertWeights& weights, int tokens, const Interventions& interventions);

// Changes `numbers`, the site's whole tensor at `layer` (depth for hidden_states).
template <class S>
void apply_interventions(const Interventions& interventions, Site site, int layer, Tensor<S>& numbers);

}  // namespace nullscope::model
