// The file system, for programs on a desktop or server; never linked into the page.
#pragma once

#include <filesystem>
#include <span>

#include "core/result.h"
#include "io/bytes.h"
#include "io/model_files.h"

namespace nullscope::io {

// Maps a file into memory (or reads it where mapping is not to be had).
Result<Bytes> read_file(const std::filesystem::path& path);
// Writes beside and renames, so that a crash leaves the old file or the new one.
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
FileSource folder_source(const std::filesystem::path& folder);

}  // namespace nullscope::io
