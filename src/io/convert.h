// Writes a model as the folder that the page and the command line read:
//
//   model-00001-of-000NN.safetensors   embeddings, then one file a layer, then the heads
//   model.safetensors.index.json       Hugging Face's index; names are bert.*, cls.*, classifier.*
//   config.json, vocab.txt, tokenizer_config.json
//   nullscope.json                     manifest, written last:
//     {"format": 1, "name", "source", "storage": "F16",
//      "files": [{"name", "bytes", "sha256"}, ...],          every other file of the folder
//      "shards": {"embeddings": FILE, "layers": [FILE, ...], "heads": FILE or null}}
//
// Hugging Face's libraries load the folder too. Native programs only (hashes).
#pragma once

#include <filesystem>
#include <string>

#include "io/model_files.h"

namespace nullscope::io {

enum class Storage {
  kF16,  // rounded to nearest even, subnormals kept; half the bytes
  kF32,
};

struct ConvertOptions {
  Storage storage = Storage::kF16;
  std::string name;    // of the model, for people: "bert-base-uncased"
  std::string source;  // where the weights came from, for people
};

inline constexpr std::string_view kManifestName = "nullscope.json";

// Makes the folder when absent. Fails with kNotFinite when a number does not fit in F16,
// naming its tensor, and with kIo when a file cannot be written.
Status convert(const LoadedModel& model, const std::filesystem::path& folder, const ConvertOptions& options = {},
               const LoadProgress& progress = nullptr);

}  // namespace nullscope::io
