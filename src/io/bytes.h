// Bytes: a read-only block of a file or download, shared by what points into it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace nullscope::io {

struct Bytes {
  std::shared_ptr<const std::byte> data;
  size_t size = 0;

  std::span<const std::byte> view() const { return {data.get(), size}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data.get()), size}; }
};

Bytes copy_bytes(std::span<const std::byte> bytes);
Bytes copy_bytes(std::string_view text);

}  // namespace nullscope::io
