// Answer: what came back for one text, as far as it has come. Built from checked messages only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"
#include "core/tensor_bundle.h"
#include "session/view_state.h"

namespace nullscope::session {

struct LayerMaps {
  int64_t request = 0;         // whose answer this layer is
  std::string variant;         // of the effective maps
  std::optional<double> asked_cut;  // the cut of its request
  Tensor<float> raw;           // [H, T, T] attention probabilities; rows are queries
  Tensor<float> effective;     // [H, T, T] A_eff, signed
  Tensor<int64_t> rank;        // [H] of the value matrix, 0..T
  Tensor<float> singular_values;  // [H, m] largest first
  Tensor<float> output_residual;  // [H] max|A M - A_eff M| / max|A M|
  Tensor<float> pearson;       // [H] of raw and effective; nan when either is constant
  Tensor<float> row_sum;       // [H, T] of the effective map
  Tensor<float> cut;           // [H] relative cut that was used
};

struct Guesses {
  Tensor<int64_t> ids;                    // [T, K]
  Tensor<float> probabilities;            // [T, K], likeliest first
  std::vector<std::vector<std::string>> tokens;  // [T][K]
};

struct Answer {
  int64_t request = 0;
  std::string text;
  std::optional<std::string> pair;
  std::vector<std::string> tokens;        // [T]
  std::vector<int64_t> ids;               // [T]
  std::vector<int64_t> segments;          // [T]
  int64_t cut_first = 0, cut_second = 0;  // pieces that did not fit the model
  int heads = 0;                          // H, known from the model or the first layer
  std::vector<std::optional<LayerMaps>> layers;  // [L]
  std::optional<Guesses> guesses;
  bool done = false;
  double milliseconds = 0;
  std::string engine;                     // instruction set
  int threads = 0;
  bool from_snapshot = false;

  int token_count() const { return static_cast<int>(tokens.size()); }
  const LayerMaps* layer(int index) const {
    return index >= 0 && index < static_cast<int>(layers.size()) && layers[static_cast<size_t>(index)] ? &*layers[static_cast<size_t>(index)] : nullptr;
  }
  // Entry of a map; nan where nothing has landed or an index is outside.
  float value(MapKind kind, HeadIndex head, Cell cell) const;
};

// Readers of the messages of messages.h. Any bundle may come in: types, shapes and the lengths
// of lists are checked first, and the error names the field. Numbers may be nan, which the views
// draw in a colour of its own.
Result<Answer> read_tokens(const TensorBundle& message);
Result<LayerMaps> read_layer(const TensorBundle& message, int64_t tokens);
Result<std::optional<Guesses>> read_guesses(const TensorBundle& message, int64_t tokens);

// A field of the metadata, "" when absent, and as a whole number within [least, most].
std::string field_text(const TensorBundle& message, std::string_view field);
Result<int64_t> field_number(const TensorBundle& message, std::string_view field, int64_t least, int64_t most);

}  // namespace nullscope::session
