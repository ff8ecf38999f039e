#include "io/crc32c.h"

#include <array>

namespace nullscope::io {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78u;  // reflected
constexpr size_t kStride = 8;                  // bytes taken at a time: weights are hundreds of megabytes

using Table = std::array<std::array<uint32_t, 256>, kStride>;

// tables[k][b]: the effect of byte b followed by k zero bytes.
constexpr Table make_tables() {
  Table tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1u ? kPolynomial : 0u);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < kStride; ++k)
    for (uint32_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xffu];
  return tables;
}
constexpr Table kTables = make_tables();

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes) {
  uint32_t crc = ~0u;
  size_t i = 0;
  for (; i + kStride <= bytes.size(); i += kStride) {
    uint32_t next = 0;
    for (size_t k = 0; k < kStride; ++k) {
      const uint32_t carried = k < 4 ? crc >> (8 * k) & 0xffu : 0u;
      next ^= kTables[kStride - 1 - k][static_cast<uint32_t>(bytes[i + k]) ^ carried];
    }
    crc = next;
  }
  for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<uint32_t>(bytes[i])) & 0xffu];
  return ~crc;
}

}  // namespace nullscope::io
