#include <cmath>
#include <optional>

#include "io/config_limits.h"
#include "io/foreign_format.h"
#include "io/json.h"
#include "io/model_files.h"

namespace nullscope::io {
namespace {

using Json = nlohmann::json;

std::unexpected<Error> bad(std::string_view key, std::string expected, const Json* found) {
  return fail(ErrorCode::kBadOption, "config.json: " + std::string(key) + ": expected " + std::move(expected) +
                                         ", found " + (found ? json_excerpt(*found) : "nothing"));
}

Result<int> whole(const Json& config, const SizeLimit& limit, std::optional<int> absent) {
  const Json* value = member(config, limit.key);
  if (!value && absent) return *absent;
  const auto* number = value ? value->get_ptr<const Json::number_unsigned_t*>() : nullptr;
  if (!number || *number < static_cast<uint64_t>(limit.least) || *number > static_cast<uint64_t>(limit.most))
    return bad(limit.key,
               "a whole number from " + std::to_string(limit.least) + " to " + std::to_string(limit.most), value);
  return static_cast<int>(*number);
}

Status check_architecture(const Json& config) {
  if (const Json* type = member(config, "model_type")) {
    const std::string* name = as_string(type);
    if (!name || *name != "bert")
      return fail(ErrorCode::kUnsupported,
                  "config.json: model_type: expected \"bert\", found " + json_excerpt(*type));
  }
  if (const Json* type = member(config, "position_embedding_type"); type && !type->is_null()) {
    const std::string* name = as_string(type);
    if (!name || *name != "absolute")
      return fail(ErrorCode::kUnsupported,
                  "config.json: position_embedding_type: expected \"absolute\", found " + json_excerpt(*type));
  }
  for (const std::string_view key : {"is_decoder", "add_cross_attention"}) {
    const Json* value = member(config, key);
    if (value && *value != false && !value->is_null())
      return fail(ErrorCode::kUnsupported, "config.json: " + std::string(key) +
                                               ": expected false (an encoder without a causal mask), found " +
                                               json_excerpt(*value));
  }
  return {};
}

// hidden_size = num_attention_heads * attention_head_size, however it is told.
Status check_head_size(const Json& config, const model::BertConfig& sizes) {
  if (sizes.hidden % sizes.heads != 0)
    return fail(ErrorCode::kBadOption, "config.json: hidden_size " + std::to_string(sizes.hidden) +
                                           " is not divisible by num_attention_heads " + std::to_string(sizes.heads));
  const auto head_size = whole(config, {"attention_head_size", 1, kLimits.hidden.most}, sizes.head_size());
  if (!head_size) return std::unexpected(head_size.error());
  if (*head_size != sizes.head_size())
    return bad("attention_head_size",
               std::to_string(sizes.head_size()) + " (hidden_size / num_attention_heads)",
               member(config, "attention_head_size"));
  const auto embedding = whole(config, {"embedding_size", 1, kLimits.hidden.most}, sizes.hidden);
  if (!embedding) return std::unexpected(embedding.error());
  if (*embedding != sizes.hidden)
    return bad("embedding_size", std::to_string(sizes.hidden) + " (hidden_size)", member(config, "embedding_size"));
  return {};
}

// id2label: {"0": name, ...}; gaps and other forms make the classifier nameless.
std::vector<std::string> read_labels(const Json& config) {
  std::vector<std::string> labels;
  const Json* names = member(config, "id2label");
  while (names) {
    const std::string* label = as_string(member(*names, std::to_string(labels.size())));
    if (!label) break;
    labels.push_back(*label);
  }
  return labels;
}

}  // namespace

Result<model::BertConfig> parse_config(std::string_view json, std::vector<std::string>* warnings) {
  const auto parsed = parse_json(json, "config.json");
  if (!parsed) {
    std::string message = parsed.error().message;
    const auto really = foreign_format(std::as_bytes(std::span(json.data(), json.size())));
    if (!really.empty() && really != "JSON text") message += " (the file looks like " + std::string(really) + ")";
    return fail(parsed.error().code, std::move(message));
  }
  const Json& config = *parsed;
  if (!config.is_object())
    return fail(ErrorCode::kBadFormat, "config.json: expected a JSON object, found " + json_excerpt(config));
  NULLSCOPE_TRY(check_architecture(config));

  const model::BertConfig usual;
  model::BertConfig sizes;
  struct Row {
    int* to;
    SizeLimit limit;
    std::optional<int> absent;  // Hugging Face's default; none where a wrong one could go unnoticed
  };
  const Row rows[] = {{&sizes.layers, kLimits.layers, std::nullopt},
                      {&sizes.heads, kLimits.heads, std::nullopt},
                      {&sizes.hidden, kLimits.hidden, std::nullopt},
                      {&sizes.intermediate, kLimits.intermediate, usual.intermediate},
                      {&sizes.vocabulary, kLimits.vocabulary, usual.vocabulary},
                      {&sizes.positions, kLimits.positions, usual.positions},
                      {&sizes.segments, kLimits.segments, usual.segments}};
  for (const Row& row : rows) {
    const auto value = whole(config, row.limit, row.absent);
    if (!value) return std::unexpected(value.error());
    *row.to = *value;
  }
  NULLSCOPE_TRY(check_head_size(config, sizes));

  if (const Json* eps = member(config, "layer_norm_eps")) {
    const double value = eps->is_number() ? eps->get<double>() : NAN;
    if (!(value >= 0 && value <= 1)) return bad("layer_norm_eps", "a number from 0 to 1", eps);
    sizes.layer_norm_eps = value;
    if (value == 0 && warnings)
      warnings->push_back("config.json: layer_norm_eps is 0; a constant row has no defined norm");
  }
  if (const Json* act = member(config, "hidden_act")) {
    const std::string* name = as_string(act);
    const auto activation = name ? nn::activation_from_name(*name) : std::nullopt;
    if (!activation) return bad("hidden_act", "the name of an activation such as \"gelu\"", act);
    sizes.activation = *activation;
  }
  sizes.labels = read_labels(config);
  return sizes;
}

}  // namespace nullscope::io
