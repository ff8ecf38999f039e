// Any bytes as a TensorFlow index, and as the block inside a sound one, which random bytes
// would never reach through the checksums. What must hold: whatever is found lies in the data.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/crc32c.h"
#include "io/folder.h"
#include "io/tf_bundle.h"

namespace {

using namespace nullscope;

void promise(bool kept) {
  if (!kept) std::abort();
}

void append32(std::string& to, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to.push_back(static_cast<char>(value >> shift & 0xff));
}

void append_varint(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

// Adds a block with its trailer; returns its handle.
std::string append_block(std::string& table, std::string_view contents) {
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
std::string table_of(std::string_view contents) {
  const std::string no_restarts(4, '\0');
  std::string table;
  const std::string data = append_block(table, contents);
  const std::string meta = append_block(table, no_restarts);
  std::string entry{'\0', '\1', static_cast<char>(data.size()), 'z'};
  const std::string index = append_block(table, entry + data + no_restarts);
  std::string footer = meta + index;
  footer.resize(40);
  append32(footer, 0x8b80fb57u);
  append32(footer, 0xdb477524u);
  return table + footer;
}

void read(std::string_view index_bytes, const io::Bytes& data) {
  const auto index = io::parse_tf_index(std::as_bytes(std::span(index_bytes)), "fuzz.index");
  if (!index) {
    promise(!index.error().message.empty());
    return;
  }
  const auto tensors = io::tf_tensors(*index, 0, data, "fuzz.data");
  if (!tensors) return;
  for (const io::SourceTensor& tensor : *tensors) {
    promise(tensor.bytes.data.get() >= data.data.get());
    promise(tensor.bytes.data.get() + tensor.bytes.size <= data.data.get() + data.size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const io::Bytes numbers =
      *io::read_file(NULLSCOPE_TEST_DATA "/cases/weights/base_bundle/variables.data-00000-of-00001");
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes, numbers);
  read(table_of(bytes), numbers);
  return 0;
}
