// Warm-up: browsers run a function in a slow first version until it was used a little. This runs every
// hot loop on a toy of one layer, so that the first real text is already fast.
#pragma once

#include "nn/parallel.h"

namespace nullscope::session {

// Some tens of milliseconds.
void warm_up(const nn::Parallel& parallel);

}  // namespace nullscope::session
