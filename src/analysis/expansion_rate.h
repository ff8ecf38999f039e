// Expansion rate of a layer's value-then-output map, from the weights alone.
//
//   f(x) = (x W_V + b_V) W_O + b_O     all heads, as an affine map of C + 1 numbers:
//   M    = [[W_V W_O, 0], [b_V W_O + b_O, 1]]                   [C+1, C+1]
//   rate = ||M||_F / sqrt(C + 1)
//
// Below 1 the map shrinks what it passes on average. It needs no text, so it is the first
// test that the right weights are loaded in the right layout.
//
// Kobayashi et al., EMNLP 2021. Their published script appends b_O as a column, indexed by
// the input of W_O, which is not the affine map; that form is here under its own name, as the
// published numbers (0.901 .. 1.051 for BERT-Base) come from it.
#pragma once

#include <vector>

#include "core/result.h"
#include "model/weights.h"

namespace nullscope::analysis {

struct ExpansionRate {
  double affine = 0;            // of M above
  double published_script = 0;  // of [[W_V W_O, W_V b_O], [b_V W_O, b_V b_O + 1]]
};

// One for each layer; double arithmetic. kMissing when a layer is not loaded.
Result<std::vector<ExpansionRate>> expansion_rates(const model::BertWeights& weights);

}  // namespace nullscope::analysis
