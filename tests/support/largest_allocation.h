// The largest single request to operator new since the last call: a reader that believes a
// damaged size shows here.
#pragma once

#include <cstddef>

namespace nullscope::test {

void reset_largest_allocation();
size_t largest_allocation();

}  // namespace nullscope::test
