// What a file really is when it is not what its name says.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace nullscope::io {

// A noun for messages ("a PyTorch zip archive"), empty when the bytes are like none we know.
std::string_view foreign_format(std::span<const std::byte> bytes);

}  // namespace nullscope::io
