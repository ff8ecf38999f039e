// Every tolerance of the tests, with its reason.
#pragma once

namespace nullscope::test {

// tests/cases/weights: results of a two-layer float32 model against float64, as its README says.
inline constexpr double kCaseAbsolute = 5e-5;

// Hostile text of a million characters: well under a second when the cost is linear, minutes when
// it is quadratic; the rest is room for sanitizers, WebAssembly and a busy machine.
inline constexpr double kHostileTextSeconds = 20;

}  // namespace nullscope::test
