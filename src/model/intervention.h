// Interventions: changes to the numbers at a site while the forward pass runs. Head
// ablation, activation and path patching, input interpolation for integrated
// gradients and scaled attention for attention attribution are all lists of these.
// They apply in order, right after the site is computed; all that follows sees them.
#pragma once

#include <optional>
#include <vector>

#include "core/tensor.h"
#include "model/sites.h"

namespace nullscope::model {

struct Intervention {
  enum class Kind { kReplace, kScale, kAdd };
  Site site = Site::kContext;
  int layer = 0;                // layer, or depth for hidden_states; 0 for sites that exist once
  std::optional<int> head;      // sites with heads: this head only
  std::optional<int> position;  // this token only (for attention maps: this query row)
  Kind kind = Kind::kReplace;
  double factor = 1;            // kScale
  Tensor<double> values;        // kReplace, kAdd: exactly the selected numbers, in the site's order
};

using Interventions = std::vector<Intervention>;

}  // namespace nullscope::model
