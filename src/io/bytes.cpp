#include "io/bytes.h"

#include <cstring>

namespace nullscope::io {

Bytes copy_bytes(std::span<const std::byte> bytes) {
  std::shared_ptr<std::byte> data(new std::byte[bytes.size()], std::default_delete<std::byte[]>());
  if (!bytes.empty()) std::memcpy(data.get(), bytes.data(), bytes.size());
  return {std::move(data), bytes.size()};
}

Bytes copy_bytes(std::string_view text) {
  return copy_bytes(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace nullscope::io
