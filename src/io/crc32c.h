// CRC-32C (Castagnoli), as LevelDB tables and TensorFlow checkpoints use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nullscope::io {

uint32_t crc32c(std::span<const std::byte> bytes);

// Stored checksums are rotated and offset, so that a checksum of checksummed data stays strong.
inline uint32_t masked_crc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

}  // namespace nullscope::io
