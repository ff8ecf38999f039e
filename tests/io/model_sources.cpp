#include "io/model_sources.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "io/folder.h"

namespace nullscope::test {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string case_path(const std::string& path) { return std::string(NULLSCOPE_TEST_DATA) + "/cases/" + path; }

io::Bytes read_case(const std::string& path) {
  auto bytes = io::read_file(case_path(path));
  REQUIRE_MESSAGE(bytes.has_value(), path);
  return *bytes;
}

nlohmann::json read_case_json(const std::string& path) { return nlohmann::json::parse(read_case(path).text()); }

FileMap case_files(const std::string& weights, const std::string& config) {
  FileMap files;
  const std::filesystem::path path = "weights/" + weights;
  if (weights.ends_with(".index.json") || weights.ends_with(".index")) {
    for (const auto& item : std::filesystem::directory_iterator(case_path(path.parent_path().string()))) {
      const std::string name = item.path().filename().string();
      files[name] = read_case((path.parent_path() / name).string());
    }
  } else {
    files[weights.ends_with(".safetensors") ? "model.safetensors" : "pytorch_model.bin"] = read_case(path.string());
  }
  if (!config.empty()) files["config.json"] = read_case("weights/" + config);
  return files;
}

io::FileSource source_of(const FileMap& files) {
  io::FileSource source;
  source.list = [files] {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) names.push_back(name);
    return names;
  };
  source.read = [files](const std::string& name) -> Result<io::Bytes> {
    const auto it = files.find(name);
    if (it == files.end()) return fail(ErrorCode::kMissing, name + " is missing");
    return it->second;
  };
  return source;
}

bool names_all(const std::string& text, const nlohmann::json& groups) {
  const std::string in = lower(text);
  return std::ranges::all_of(groups, [&](const nlohmann::json& group) {
    return std::ranges::any_of(
        group, [&](const nlohmann::json& word) { return in.find(lower(word.get<std::string>())) != std::string::npos; });
  });
}

}  // namespace nullscope::test
