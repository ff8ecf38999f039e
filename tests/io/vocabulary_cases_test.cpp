// tests/cases/vocabulary/expected.json, every case: outcome, numbers, options, encodings.
#include <doctest/doctest.h>

#include <chrono>

#include "io/model_sources.h"

namespace nullscope::test {
namespace {

using Json = nlohmann::json;

struct Loaded {
  Result<text::Tokenizer> tokenizer = fail(ErrorCode::kMissing, "not loaded");
  std::string warnings;
};

Loaded load(const Json& expected) {
  FileMap files;
  for (const Json& name : expected["files"])
    files[name] = read_case("vocabulary/" + expected["folder"].get<std::string>() + "/" + name.get<std::string>());
  Loaded loaded;
  std::vector<std::string> warnings;
  if (expected.contains("weights")) {
    files["model.safetensors"] = read_case("vocabulary/" + expected["weights"].get<std::string>());
    files["config.json"] = read_case("weights/base.json");
    auto model = io::load_model(source_of(files));
    if (model) {
      REQUIRE(model->tokenizer.has_value());
      loaded.tokenizer = std::move(*model->tokenizer);
      warnings = model->report.warnings;
    } else {
      loaded.tokenizer = std::unexpected(model.error());
    }
  } else {
    const auto text = [&](const char* name) -> std::optional<std::string_view> {
      const auto it = files.find(name);
      return it == files.end() ? std::nullopt : std::optional(it->second.text());
    };
    io::TokenizerReport report;
    loaded.tokenizer =
        io::load_tokenizer({text("vocab.txt"), text("tokenizer.json"), text("tokenizer_config.json")}, &report);
    warnings = report.warnings;
  }
  for (const std::string& warning : warnings) loaded.warnings += warning + "\n";
  return loaded;
}

void check_loaded(const Json& expected, const text::Tokenizer& tokenizer) {
  const text::Vocabulary& vocabulary = tokenizer.vocabulary();
  if (expected.contains("size")) CHECK(vocabulary.size() == expected["size"].get<int>());
  for (const char* key : {"ids", "special"}) {
    const Json numbers = expected.value(key, Json::object());
    for (const auto& [token, id] : numbers.items()) CHECK(vocabulary.find(token) == id.get<int>());
  }
  const Json choices = expected.value("ids_any", Json::object());
  for (const auto& [token, ids] : choices.items()) {
    const auto found = vocabulary.find(token);
    CHECK((found && std::ranges::find(ids, Json(*found)) != ids.end()));
  }
  if (expected.contains("options")) {
    const Json& options = expected["options"];
    CHECK(tokenizer.options().lowercase == options["lowercase"].get<bool>());
    const auto& strip = tokenizer.options().strip_accents;
    CHECK((strip ? Json(*strip) : Json(nullptr)) == options["strip_accents"]);
  }
  for (const Json& item : expected.value("encode", Json::array())) {
    const auto encoding = tokenizer.encode(item["text"].get<std::string>());
    CHECK((encoding && encoding->ids == item["ids"].get<std::vector<int>>()));
  }
}

}  // namespace

TEST_CASE("vocabulary cases: every folder loads or is refused as expected") {
  const Json cases = read_case_json("vocabulary/expected.json");
  size_t checked = 0;
  for (const Json& expected : cases["cases"]) {
    const std::string id = expected["id"], note = expected["note"], outcome = expected["outcome"];
    CAPTURE(id);
    CAPTURE(note);
    const auto begin = std::chrono::steady_clock::now();
    const Loaded loaded = load(expected);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    CHECK(time.count() < 1.0);
    const bool sound = loaded.tokenizer.has_value();
    CHECK_MESSAGE((sound ? outcome != "refused" : outcome != "loads"),
                  (sound ? std::string("loaded") : loaded.tokenizer.error().message));
    if (sound) {
      check_loaded(expected, *loaded.tokenizer);
      if (expected.contains("warn")) CHECK_MESSAGE(names_all(loaded.warnings, expected["warn"]), loaded.warnings);
    } else if (expected.contains("must_name")) {
      CHECK_MESSAGE(names_all(loaded.tokenizer.error().message, expected["must_name"]),
                    loaded.tokenizer.error().message);
    }
    ++checked;
  }
  CHECK(checked == 41);
}

}  // namespace nullscope::test
