// Snapshot: a finished run as one bundle, which a page can show with no weights at all.
// Maps are stored as F16 (of at most 1, so 11 bits after the leading one: 5e-4 relative);
// everything else keeps its type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tensor_bundle.h"
#include "io/model_files.h"

namespace nullscope::session {

// Runs the text through the model. Fails with what the engine reported.
Result<TensorBundle> make_snapshot(std::string name, io::LoadedModel model, std::string text, std::optional<std::string> pair);

// The messages that a live run would have sent, as answers to request `number`: "model", "tokens",
// "layer" of each layer, "heads", "done". Any bundle may come in: types, shapes and ranges are
// checked first, and the error names the tensor or the field.
Result<std::vector<TensorBundle>> split_snapshot(const TensorBundle& snapshot, int64_t number);

}  // namespace nullscope::session
