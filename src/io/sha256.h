// SHA-256 by OpenSSL; native programs only. The page checks the same hashes with crypto.subtle.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace nullscope::io {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace nullscope::io
