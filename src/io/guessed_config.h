// Sizes of a model without config.json, from the shapes of its tensors.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/source_tensor.h"

namespace nullscope::io {

using FoundTensors = std::map<std::string, SourceTensor, std::less<>>;  // by canonical name

// Heads cannot be seen in shapes: hidden / 64, as in every published BERT, and said so.
Result<model::BertConfig> guessed_config(const FoundTensors& found, std::vector<std::string>& warnings);

// tie_word_embeddings of a sound config.json; true when it is not there.
bool ties_word_embeddings(std::string_view config_json);

}  // namespace nullscope::io
