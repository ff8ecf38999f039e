// Sound sorted string tables round given block contents, for tests and fuzzing: random bytes
// would never get past the checksums.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/crc32c.h"

namespace nullscope::test {

inline void append32(std::string& to, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to.push_back(static_cast<char>(value >> shift & 0xff));
}

inline void append_varint(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

// Adds a block with its trailer; returns its handle.
inline std::string append_block(std::string& table, std::string_view contents) {
  std::string handle;
  append_varint(handle, table.size());
  append_varint(handle, contents.size());
  std::string checked(contents);
  checked.push_back('\0');
  table += checked;
  append32(table, io::masked_crc(io::crc32c(std::as_bytes(std::span(checked)))));
  return handle;
}

// A table whose only data block is `contents`.
inline std::string table_of(std::string_view contents) {
  const std::string no_restarts(4, '\0');
  std::string table;
  const std::string data = append_block(table, contents);
  const std::string meta = append_block(table, no_restarts);
  const std::string entry{'\0', '\1', static_cast<char>(data.size()), 'z'};
  const std::string index = append_block(table, entry + data + no_restarts);
  std::string footer = meta + index;
  footer.resize(40);
  append32(footer, 0x8b80fb57u);
  append32(footer, 0xdb477524u);
  return table + footer;
}

// An entry of a block that shares `shared` bytes of the key before it.
inline std::string block_entry(uint64_t shared, std::string_view rest_of_key, std::string_view value) {
  std::string entry;
  append_varint(entry, shared);
  append_varint(entry, rest_of_key.size());
  append_varint(entry, value.size());
  return entry.append(rest_of_key).append(value);
}

}  // namespace nullscope::test
