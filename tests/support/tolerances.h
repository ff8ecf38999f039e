// Every tolerance of the tests, with its reason.
#pragma once

namespace nullscope::test {

// tests/cases/weights: results of a two-layer float32 model against float64, as its README says.
inline constexpr double kCaseAbsolute = 5e-5;

}  // namespace nullscope::test
