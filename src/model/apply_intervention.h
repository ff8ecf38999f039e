// Interventions, checked before a pass and applied while it runs.
#pragma once

#include "core/result.h"
#include "model/forward_trace.h"
#include "model/intervention.h"

namespace nullscope::model {

// Site, layer or depth, head and position exist, and the values are exactly as many numbers
// as the selection has; kBadIndex, kBadOption or kBadShape names the intervention and the limit.
Status check_interventions(const BertConfig& config, int tokens, int classes, const Interventions& interventions);

// Changes `numbers`, the site's whole tensor at `layer` (depth for hidden_states).
template <class S>
void apply_interventions(const Interventions& interventions, Site site, int layer, Tensor<S>& numbers);

}  // namespace nullscope::model
