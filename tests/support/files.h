// Files of the tests' own data, by path below tests/.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace nullscope::test {

inline std::string data_path(const std::string& path) { return std::string(NULLSCOPE_TEST_DATA) + "/" + path; }

inline std::string read_text(const std::string& path) {
  std::ifstream file(data_path(path), std::ios::binary);
  REQUIRE_MESSAGE(file.good(), "cannot read " << data_path(path));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline nlohmann::json read_json(const std::string& path) {
  nlohmann::json json = nlohmann::json::parse(read_text(path), nullptr, false);
  REQUIRE_MESSAGE(!json.is_discarded(), path << " is not JSON");
  return json;
}

inline std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : read_text(path)) {
    if (c == '\n') {
      lines.push_back(line);
      line.clear();
    } else {
      line += c;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace nullscope::test
