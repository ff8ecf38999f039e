// The small text files beside converted weights, as Hugging Face writes them.
#pragma once

#include <string>

#include "core/result.h"
#include "io/json.h"
#include "model/weights.h"
#include "text/tokenizer.h"

namespace nullscope::io {

nlohmann::json config_json(const model::BertWeights& weights, std::string_view torch_dtype);
nlohmann::json tokenizer_config_json(const text::Tokenizer& tokenizer, int positions);
// Fails with kBadFormat for a piece that a line cannot hold.
Result<std::string> vocab_txt(const text::Vocabulary& vocabulary);

}  // namespace nullscope::io
