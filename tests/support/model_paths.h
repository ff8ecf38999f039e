// BERT-Base for tests: the folders that weights/fetch makes, or NULLSCOPE_WEIGHTS (fp16) and
// NULLSCOPE_WEIGHTS_FP32. A missing model is a failure, not a skip.
#pragma once

#include <cstdlib>
#include <string>

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#endif

#include <doctest/doctest.h>

#include "io/folder.h"
#include "io/model_files.h"

namespace nullscope::test {

enum class Storage { kF16, kF32 };

// Under node the program's own environment is empty, so node's is asked.
inline std::string environment(const std::string& name) {
#ifdef __EMSCRIPTEN__
  const char* value = emscripten_run_script_string(("process.env['" + name + "'] || ''").c_str());
#else
  const char* value = std::getenv(name.c_str());
#endif
  return value == nullptr ? "" : value;
}

inline std::string model_folder(Storage storage) {
  const bool fp32 = storage == Storage::kF32;
  const std::string given = environment(fp32 ? "NULLSCOPE_WEIGHTS_FP32" : "NULLSCOPE_WEIGHTS");
  if (!given.empty()) return given;
  return std::string(NULLSCOPE_TEST_DATA) + "/../weights/bert-base-uncased" + (fp32 ? "-fp32" : "");
}

// Loaded once in a program.
inline const model::BertWeights& base_weights(Storage storage) {
  static Result<io::LoadedModel> models[] = {fail(ErrorCode::kMissing, ""), fail(ErrorCode::kMissing, "")};
  Result<io::LoadedModel>& model = models[static_cast<int>(storage)];
  if (!model) model = io::load_model(io::folder_source(model_folder(storage)));
  REQUIRE_MESSAGE(model, "this test needs BERT-Base; run `weights/fetch" << std::string(storage == Storage::kF32 ? " --dtype f32" : "")
                                                                         << "` first: " << model.error().message);
  return model->weights;
}

}  // namespace nullscope::test
