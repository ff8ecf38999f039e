// Models in memory for tests: files of tests/cases under the names a folder would have.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "io/model_files.h"

namespace nullscope::test {

using FileMap = std::map<std::string, io::Bytes>;

std::string case_path(const std::string& path);  // under tests/cases
io::Bytes read_case(const std::string& path);
nlohmann::json read_case_json(const std::string& path);

// `weights` and `config` are paths in tests/cases/weights; config "" = none. A set (.index,
// .index.json) brings every file beside it.
FileMap case_files(const std::string& weights, const std::string& config);

io::FileSource source_of(const FileMap& files);

// Whether `text` holds a word of every group, case aside.
bool names_all(const std::string& text, const nlohmann::json& groups);

}  // namespace nullscope::test
