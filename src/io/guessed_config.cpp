#include "io/guessed_config.h"

#include "io/config_limits.h"
#include "io/json.h"

namespace nullscope::io {
namespace {

constexpr int kUsualHeadSize = 64;

struct Reading {
  int* to;
  SizeLimit limit;
  std::string_view tensor;
  bool columns;
};

}  // namespace

Result<model::BertConfig> guessed_config(const FoundTensors& found, std::vector<std::string>& warnings) {
  model::BertConfig config;
  constexpr std::string_view kWord = "embeddings.word_embeddings.weight";
  const Reading readings[] = {
      {&config.vocabulary, kLimits.vocabulary, kWord, false},
      {&config.hidden, kLimits.hidden, kWord, true},
      {&config.positions, kLimits.positions, "embeddings.position_embeddings.weight", false},
      {&config.intermediate, kLimits.intermediate, "encoder.layer.0.intermediate.dense.weight", false}};
  for (const Reading& reading : readings) {
    const auto it = found.find(reading.tensor);
    if (it == found.end())
      return fail(ErrorCode::kMissing, std::string(reading.tensor) +
                                           " is missing, and without config.json nothing else tells the sizes "
                                           "(a single shard without its index?)");
    const SourceTensor& tensor = it->second;
    const int64_t size = reading.columns ? tensor.cols() : tensor.rows();
    if (tensor.shape.size() != 2 || size < reading.limit.least || size > reading.limit.most)
      return fail(ErrorCode::kBadShape, tensor.name + ": expected a matrix with from " +
                                            std::to_string(reading.limit.least) + " to " +
                                            std::to_string(reading.limit.most) +
                                            (reading.columns ? " columns" : " rows") + ", found " +
                                            std::to_string(size));
    *reading.to = static_cast<int>(size);
  }
  const auto segment = found.find("embeddings.token_type_embeddings.weight");
  config.segments = 0;
  if (segment != found.end() && segment->second.rows() <= kLimits.segments.most)
    config.segments = static_cast<int>(segment->second.rows());

  config.layers = 1;
  while (config.layers < kLimits.layers.most &&
         found.contains("encoder.layer." + std::to_string(config.layers) + ".attention.self.query.weight"))
    ++config.layers;
  if (config.hidden % kUsualHeadSize != 0)
    return fail(ErrorCode::kMissing, "config.json is missing, and num_attention_heads cannot be guessed: hidden_size " +
                                         std::to_string(config.hidden) + " is not a multiple of 64");
  config.heads = config.hidden / kUsualHeadSize;
  warnings.push_back("no config.json: sizes are those of the tensors; guessed " + std::to_string(config.heads) +
                     " attention heads (hidden_size / 64), activation gelu and layer_norm_eps 1e-12");
  return config;
}

bool ties_word_embeddings(std::string_view config_json) {
  const auto config = parse_json(config_json, "config.json");
  const auto* tied = config ? member(*config, "tie_word_embeddings") : nullptr;
  return !tied || *tied != false;
}

}  // namespace nullscope::io
