// Checksum: sixteen random projections of a field of numbers,
//
//   checksum[k] = sum_i sign(i, k) a[i] / sqrt(count)      k = 0..15, i row-major
//   sign(i, k)  = -1 if bit k of hash32(i) is set, else 1
//
// accumulated in double. rms(checksum - reference) / rms(reference field) estimates the
// relative rms error of the whole field (+-18 %), whatever the fault is. The same formula
// as the benchmark harness that compares this engine with others.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace nullscope::session {

using Checksum = std::array<double, 16>;

template <class S>
Checksum checksum(std::span<const S> values);

// Root mean square of the sixteen differences.
double checksum_distance(const Checksum& a, const Checksum& b);

}  // namespace nullscope::session
