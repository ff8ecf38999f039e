#include "io/folder.h"

#include <doctest/doctest.h>

#include "io/model_sources.h"
#include "support/temporary_folder.h"

namespace nullscope::test {

TEST_CASE("a file is written whole and read back") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  const std::string first = "first", second = "the second, longer";
  for (const std::string& text : {first, second, std::string()}) {
    REQUIRE(io::write_file(path, std::as_bytes(std::span(text))).has_value());
    const auto back = io::read_file(path);
    REQUIRE(back.has_value());
    CHECK(back->text() == text);
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);  // nothing left beside it
}

TEST_CASE("what cannot be read or written is named") {
  const TemporaryFolder folder;
  const auto missing = io::read_file(folder.path() / "absent");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().code == ErrorCode::kIo);
  CHECK(missing.error().message.find("absent") != std::string::npos);
  CHECK_FALSE(io::read_file(folder.path()).has_value());
  CHECK_FALSE(io::write_file(folder.path() / "no" / "such", {}).has_value());
}

TEST_CASE("a folder lists what is in it and does not lead out of it") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "model" / "variables");
  const std::string text = "x";
  for (const char* name : {"secret", "model/config.json", "model/variables/variables.index"})
    REQUIRE(io::write_file(folder.path() / name, std::as_bytes(std::span(text))).has_value());
  const io::FileSource source = io::folder_source(folder.path() / "model");
  auto names = source.list();
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"config.json", "variables/variables.index"});
  CHECK(source.read("variables/variables.index").has_value());
  for (const std::string& name : {std::string("../secret"), std::string("variables/../../secret"),
                                  (folder.path() / "secret").string(), std::string()})
    CHECK_FALSE(source.read(name).has_value());
}

TEST_CASE("a model loads from a folder as from memory") {
  const TemporaryFolder folder;
  for (const auto& [name, bytes] : case_files("files/W50-01/variables.index", "base.json"))
    REQUIRE(io::write_file(folder.path() / name, bytes.view()).has_value());
  const auto model = io::load_model(io::folder_source(folder.path()));
  REQUIRE_MESSAGE(model.has_value(), model.error().message);
  CHECK(model->weights.config.layers == 2);
  CHECK_FALSE(model->tokenizer.has_value());
}

}  // namespace nullscope::test
