#include "session/checksum.h"

#include <cmath>

namespace nullscope::session {
namespace {

uint32_t hash32(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

}  // namespace

template <class S>
Checksum checksum(std::span<const S> values) {
  Checksum sums{};
  for (size_t i = 0; i < values.size(); ++i) {
    const uint32_t bits = hash32(static_cast<uint32_t>(i));
    const double value = static_cast<double>(values[i]);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += (bits >> k) & 1U ? -value : value;
  }
  for (double& sum : sums) sum /= std::sqrt(static_cast<double>(values.size()));
  return sums;
}

double checksum_distance(const Checksum& a, const Checksum& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

template Checksum checksum(std::span<const float>);
template Checksum checksum(std::span<const double>);

}  // namespace nullscope::session
