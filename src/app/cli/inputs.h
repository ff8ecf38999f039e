// What commands read: the model, and the texts given by --text/--pair, --file or --ids.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.h"
#include "io/model_files.h"
#include "model/forward_trace.h"
#include "text/encoding.h"

namespace nullscope::app {

struct ModelFlags {
  std::string folder = "weights/bert-base-uncased";
  int threads = 1;
};
void add_model_flags(CLI::App& command, ModelFlags& flags);

struct TextFlags {
  std::optional<std::string> text, pair, file;
  std::vector<int> ids, segments;
};
void add_text_flags(CLI::App& command, TextFlags& flags, bool allow_ids);

// One text (or pair, or list of ids) to work on.
struct Item {
  std::string text;                        // empty when ids were given
  std::optional<std::string> pair;
  std::optional<text::Encoding> encoding;  // absent when ids were given
  model::ModelInput input;

  // What to print for a token: its piece, or "#id" without a vocabulary.
  std::string token(int position) const;
};

// Loads the folder, with progress on standard error; load warnings go there too.
Result<io::LoadedModel> load(const ModelFlags& flags);
// Only the tokenizer of a folder.
Result<text::Tokenizer> load_tokenizer_only(const std::string& folder);

// Texts longer than `max_length` tokens are cut, and it says so on standard error.
Result<std::vector<Item>> read_items(const TextFlags& flags, const text::Tokenizer* tokenizer, int max_length);

}  // namespace nullscope::app
