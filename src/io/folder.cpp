#include "io/folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#if defined(__unix__) && !defined(__EMSCRIPTEN__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace nullscope::io {
namespace {

namespace fs = std::filesystem;

constexpr int kFolderDepth = 3;  // a SavedModel keeps its files one folder down

std::unexpected<Error> io_error(const fs::path& path, const char* action) {
  return fail(ErrorCode::kIo, path.string() + ": cannot " + action + ": " + std::strerror(errno));
}

[[maybe_unused]] Result<Bytes> read_whole(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return io_error(path, "read");
  std::shared_ptr<std::byte> data(new std::byte[static_cast<size_t>(size)], std::default_delete<std::byte[]>());
  file.read(reinterpret_cast<char*>(data.get()), static_cast<std::streamsize>(size));
  if (static_cast<uintmax_t>(file.gcount()) != size) return io_error(path, "read");
  return Bytes{std::move(data), static_cast<size_t>(size)};
}

#if defined(__unix__) && !defined(__EMSCRIPTEN__)
Result<Bytes> map_whole(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return io_error(path, "read");
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    return fail(ErrorCode::kIo, path.string() + ": not a file");
  }
  const size_t size = static_cast<size_t>(status.st_size);
  if (size == 0) {
    ::close(file);
    return copy_bytes(std::string_view());
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) return read_whole(path);
  std::shared_ptr<const std::byte> data(static_cast<const std::byte*>(mapped),
                                        [size](const std::byte* p) { ::munmap(const_cast<std::byte*>(p), size); });
  return Bytes{std::move(data), size};
}
#endif

// A relative name without "..": a name from inside a file must not lead out of the folder.
bool stays_inside(const fs::path& name) {
  return !name.empty() && name.is_relative() && std::ranges::none_of(name, [](const fs::path& part) { return part == ".."; });
}

}  // namespace

Result<Bytes> read_file(const fs::path& path) {
#if defined(__unix__) && !defined(__EMSCRIPTEN__)
  return map_whole(path);
#else
  return read_whole(path);
#endif
}

Status write_file(const fs::path& path, std::span<const std::byte> bytes) {
  fs::path beside = path;
  beside += ".part";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    const auto error = io_error(path, "write");
    std::error_code ignored;
    fs::remove(beside, ignored);
    return error;
  }
  std::error_code error;
  fs::rename(beside, path, error);
  if (error) return fail(ErrorCode::kIo, path.string() + ": cannot write: " + error.message());
  return {};
}

FileSource folder_source(const fs::path& folder) {
  FileSource source;
  source.list = [folder] {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      if (it.depth() + 1 >= kFolderDepth) it.disable_recursion_pending();
      if (it->is_regular_file(ignored)) names.push_back(it->path().lexically_relative(folder).generic_string());
    }
    return names;
  };
  source.read = [folder](const std::string& name) -> Result<Bytes> {
    if (!stays_inside(name))
      return fail(ErrorCode::kBadOption, name + ": expected the name of a file inside " + folder.string());
    return read_file(folder / name);
  };
  return source;
}

}  // namespace nullscope::io
