#include "io/foreign_format.h"

#include <algorithm>

namespace nullscope::io {

std::string_view foreign_format(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 512));
  using namespace std::string_view_literals;
  if (text.starts_with("version https://git-lfs"sv))
    return "a Git LFS pointer, not the file it points to (fetch it with git lfs pull)";
  if (text.starts_with("PK\x03\x04"sv)) return "a zip archive, as PyTorch writes (pytorch_model.bin)";
  if (text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5)
    return "a Python pickle, as old PyTorch writes";
  if (text.starts_with("GGUF"sv)) return "a GGUF file";
  if (text.starts_with("\x89HDF"sv)) return "an HDF5 file, as Keras writes";
  if (text.starts_with("\x1f\x8b"sv)) return "a gzip archive";
  if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv)) return "UTF-16 text";

  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return text.empty() ? "an empty file" : "";
  if (text[first] == '<') return "a web page (HTML), perhaps an error message from a server";
  const bool printable = std::ranges::all_of(text.substr(0, 16), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
  if (!printable) return "";
  return text[first] == '{' || text[first] == '[' ? "JSON text" : "plain text";
}

}  // namespace nullscope::io
