// A new empty folder that disappears with its object.
#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace nullscope::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device seed;
    do path_ = std::filesystem::temp_directory_path() / ("nullscope-test-" + std::to_string(seed()));
    while (!std::filesystem::create_directory(path_));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace nullscope::test
