// The sorted string table of LevelDB: blocks of prefix-compressed keys, an index block,
// a metaindex block and a footer of 48 bytes. Uncompressed blocks only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace nullscope::io {

struct TableEntry {
  std::string key;
  std::string_view value;  // in the table's bytes
};

// All entries, in the order of their keys; every block checksum is verified. Values point
// into `bytes`; `name` is used in messages.
Result<std::vector<TableEntry>> parse_sstable(std::span<const std::byte> bytes, std::string_view name);

// Takes a base-128 number off the front; nullopt when it is cut or longer than ten bytes.
std::optional<uint64_t> take_varint(std::string_view& bytes);
uint32_t little_endian32(std::string_view four_bytes);

}  // namespace nullscope::io
