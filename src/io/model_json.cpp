#include "io/model_json.h"

#include "io/config_limits.h"

namespace nullscope::io {

using Json = nlohmann::json;

namespace {

// Hugging Face's class that holds just the heads that are there.
const char* architecture(const model::BertWeights& weights) {
  if (weights.classifier) return "BertForSequenceClassification";
  if (weights.mlm) return weights.nsp ? "BertForPreTraining" : "BertForMaskedLM";
  return "BertModel";
}

}  // namespace

Json config_json(const model::BertWeights& weights, std::string_view torch_dtype) {
  const model::BertConfig& config = weights.config;
  Json json = {{"model_type", "bert"},
               {"architectures", Json::array({architecture(weights)})},
               {"hidden_act", std::string(nn::activation_name(config.activation))},
               {"layer_norm_eps", config.layer_norm_eps},
               {"position_embedding_type", "absolute"},
               {"torch_dtype", std::string(torch_dtype)}};
  const auto put = [&](const SizeLimit& size, int value) { json[std::string(size.key)] = value; };
  put(kLimits.layers, config.layers);
  put(kLimits.heads, config.heads);
  put(kLimits.hidden, config.hidden);
  put(kLimits.intermediate, config.intermediate);
  put(kLimits.vocabulary, config.vocabulary);
  put(kLimits.positions, config.positions);
  put(kLimits.segments, config.segments);
  if (weights.mlm && weights.mlm->decoder.weight.view().data != weights.embeddings.word.view().data)
    json["tie_word_embeddings"] = false;
  for (size_t i = 0; i < config.labels.size(); ++i) {
    json["id2label"][std::to_string(i)] = config.labels[i];
    json["label2id"][config.labels[i]] = i;
  }
  return json;
}

Json tokenizer_config_json(const text::Tokenizer& tokenizer, int positions) {
  const text::TokenizerOptions& options = tokenizer.options();
  const text::SpecialTokens& special = tokenizer.vocabulary().special();
  Json json = {{"tokenizer_class", "BertTokenizer"},
               {"do_lower_case", options.lowercase},
               {"strip_accents", options.strip_accents ? Json(*options.strip_accents) : Json(nullptr)},
               {"tokenize_chinese_chars", options.chinese_chars},
               {"model_max_length", positions},
               {"unk_token", special.unknown},
               {"cls_token", special.classify},
               {"sep_token", special.separate},
               {"pad_token", special.pad},
               {"mask_token", special.mask}};
  if (!special.added.empty()) json["additional_special_tokens"] = special.added;
  // Not of Hugging Face: only written where they matter.
  const text::TokenizerOptions usual;
  if (options.clean_text != usual.clean_text) json["clean_text"] = options.clean_text;
  if (options.max_characters_per_word != usual.max_characters_per_word)
    json["max_input_chars_per_word"] = options.max_characters_per_word;
  return json;
}

Result<std::string> vocab_txt(const text::Vocabulary& vocabulary) {
  std::string lines;
  for (int id = 0; id < vocabulary.size(); ++id) {
    const std::string& token = vocabulary.token(id);
    if (token.find('\n') != std::string::npos || token.ends_with('\r'))
      return fail(ErrorCode::kBadFormat, "piece " + std::to_string(id) + " holds a line end: vocab.txt cannot store it");
    lines.append(token).push_back('\n');
  }
  return lines;
}

}  // namespace nullscope::io
