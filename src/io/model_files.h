// A whole model from a folder or a set of dropped files: config.json, vocab.txt (or
// tokenizer.json), tokenizer_config.json, weights as model.safetensors, a sharded set
// with its index, or a TensorFlow SavedModel / checkpoint.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/bytes.h"
#include "io/checkpoint.h"
#include "text/tokenizer.h"

namespace nullscope::io {

// Where files come from: a folder, an archive in memory, files dropped on a page.
struct FileSource {
  std::function<std::vector<std::string>()> list;               // names relative to the source
  std::function<Result<Bytes>(const std::string& name)> read;   // whole file
};

struct LoadedModel {
  model::BertWeights weights;
  std::optional<text::Tokenizer> tokenizer;  // absent when the source has no vocabulary
  LoadReport report;
};

using LoadProgress = std::function<void(std::string_view what, double fraction)>;

Result<LoadedModel> load_model(const FileSource& source, const LoadOptions& options = {},
                               const LoadProgress& progress = nullptr);

// Vocabulary and tokenizer settings alone; the texts are those of the files, nullopt when absent.
struct TokenizerFiles {
  std::optional<std::string_view> vocab_txt, tokenizer_json, tokenizer_config_json;
};
struct TokenizerReport {
  std::vector<std::string> warnings;
};
Result<text::Tokenizer> load_tokenizer(const TokenizerFiles& files, TokenizerReport* report = nullptr);

// config.json alone.
Result<model::BertConfig> parse_config(std::string_view json, std::vector<std::string>* warnings = nullptr);

}  // namespace nullscope::io
