// safetensors: 8 bytes little-endian header length, a JSON header, raw tensors.
// Reading is strict: what the format text forbids (duplicate keys, overlaps, holes,
// trailing bytes, leading blanks, offsets or shapes that disagree) is refused before
// anything of the claimed size is allocated.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor_bundle.h"
#include "io/bytes.h"

namespace nullscope::io {

struct TensorEntry {
  std::string name;
  std::string dtype;       // as written; dtype_from_name says whether we read it
  Shape shape;
  size_t begin = 0;        // of its bytes, counted from the start of the file
  size_t end = 0;
};

struct SafetensorsHeader {
  std::vector<TensorEntry> entries;  // in the order of their bytes
  std::map<std::string, std::string, std::less<>> metadata;
  size_t data_begin = 0;
};

// `bytes` is the whole file. `name` is used in messages.
Result<SafetensorsHeader> parse_safetensors_header(std::span<const std::byte> bytes, std::string_view name);

// Whole bundles, for results, messages and golden data: every tensor must have a type we read.
Result<TensorBundle> read_bundle(std::span<const std::byte> bytes, std::string_view name);
std::vector<std::byte> write_bundle(const TensorBundle& bundle);

}  // namespace nullscope::io
