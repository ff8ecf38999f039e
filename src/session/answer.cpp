#include "session/answer.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "io/json.h"

namespace nullscope::session {
namespace {

constexpr int64_t kMostTokens = 1 << 14, kMostLayers = 1024, kMostHeads = 1024, kMostGuesses = 1000;

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

// The tensor of that name and shape; -1 stands for any extent.
Result<const AnyTensor*> shaped(const TensorBundle& message, const std::string& name, const Shape& expected) {
  const AnyTensor* tensor = message.find(name);
  if (tensor == nullptr) return fail(ErrorCode::kMissing, "message: there is no tensor " + name);
  bool same = tensor->shape.size() == expected.size();
  for (size_t axis = 0; same && axis < expected.size(); ++axis)
    same = expected[axis] == -1 ? tensor->shape[axis] >= 0 && tensor->shape[axis] <= kMostTokens : expected[axis] == tensor->shape[axis];
  if (!same) return fail(ErrorCode::kBadShape, "message: " + name + ": expected " + shape_text(expected) + ", found " + shape_text(tensor->shape));
  if (tensor->bytes.size() != static_cast<size_t>(element_count(tensor->shape)) * dtype_size(tensor->dtype))
    return fail(ErrorCode::kBadShape, "message: " + name + ": " + std::to_string(tensor->bytes.size()) + " bytes do not fill " + shape_text(tensor->shape));
  return tensor;
}

Status take(const TensorBundle& message, const std::string& name, const Shape& shape, Tensor<float>& out) {
  const auto tensor = shaped(message, name, shape);
  if (!tensor) return std::unexpected(tensor.error());
  auto values = (*tensor)->to_float();
  if (!values) return fail(values.error().code, "message: " + name + ": " + values.error().message);
  out = std::move(*values);
  return {};
}

Status take(const TensorBundle& message, const std::string& name, const Shape& shape, Tensor<int64_t>& out) {
  const auto tensor = shaped(message, name, shape);
  if (!tensor) return std::unexpected(tensor.error());
  auto values = (*tensor)->to_int();
  if (!values) return fail(values.error().code, "message: " + name + ": " + values.error().message);
  out = std::move(*values);
  return {};
}

Result<std::vector<std::string>> strings(const nlohmann::json& list, const char* name) {
  if (!list.is_array()) return fail(ErrorCode::kBadFormat, std::string("message: ") + name + " is no list");
  std::vector<std::string> out;
  for (const nlohmann::json& item : list) {
    const std::string* text = io::as_string(&item);
    if (text == nullptr) return fail(ErrorCode::kBadFormat, std::string("message: ") + name + " holds something else than texts");
    out.push_back(*text);
  }
  return out;
}

}  // namespace

std::string field_text(const TensorBundle& message, std::string_view field) {
  const auto it = message.metadata.find(field);
  return it == message.metadata.end() ? std::string() : it->second;
}

Result<int64_t> field_number(const TensorBundle& message, std::string_view field, int64_t least, int64_t most) {
  const std::string text = field_text(message, field);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return fail(ErrorCode::kBadIndex, "message: " + std::string(field) + ": expected a whole number from " + std::to_string(least) + " to " +
                                          std::to_string(most) + ", found \"" + text.substr(0, 40) + "\"");
  return value;
}

float Answer::value(MapKind kind, HeadIndex head, Cell cell) const {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const LayerMaps* maps = layer(head.layer);
  const int count = token_count();
  if (maps == nullptr || head.head < 0 || head.head >= maps->raw.dim(0) || cell.query < 0 || cell.query >= count || cell.key < 0 || cell.key >= count) return kNone;
  const float raw = maps->raw(head.head, cell.query, cell.key), effective = maps->effective(head.head, cell.query, cell.key);
  switch (kind) {
    case MapKind::kRaw: return raw;
    case MapKind::kEffective: return effective;
    case MapKind::kNullPart: return raw - effective;
  }
  return kNone;
}

Result<Answer> read_tokens(const TensorBundle& message) {
  Answer answer;
  answer.text = field_text(message, "text");
  if (field_text(message, "has_pair") == "1") answer.pair = field_text(message, "pair");
  const auto list = io::parse_json(field_text(message, "tokens"), "message: tokens");
  if (!list) return std::unexpected(list.error());
  auto tokens = strings(*list, "tokens");
  if (!tokens) return std::unexpected(tokens.error());
  answer.tokens = std::move(*tokens);
  const auto count = static_cast<int64_t>(answer.tokens.size());
  if (count < 1 || count > kMostTokens) return fail(ErrorCode::kTooLarge, "message: expected 1 to 16384 tokens, found " + std::to_string(count));
  for (const auto& [name, out] : {std::pair("ids", &answer.ids), std::pair("segments", &answer.segments)}) {
    Tensor<int64_t> values;
    NULLSCOPE_TRY(take(message, name, {count}, values));
    out->assign(values.values().begin(), values.values().end());
  }
  for (const auto& [name, out] : {std::pair("cut_first", &answer.cut_first), std::pair("cut_second", &answer.cut_second)}) {
    if (field_text(message, name).empty()) continue;
    const auto cut = field_number(message, name, 0, INT32_MAX);
    if (!cut) return std::unexpected(cut.error());
    *out = *cut;
  }
  const auto layers = field_number(message, "layers", 1, kMostLayers);
  if (!layers) return std::unexpected(layers.error());
  const auto heads = field_number(message, "heads", 1, kMostHeads);
  if (!heads) return std::unexpected(heads.error());
  answer.layers.resize(static_cast<size_t>(*layers));
  answer.heads = static_cast<int>(*heads);
  return answer;
}

Result<LayerMaps> read_layer(const TensorBundle& message, int64_t tokens) {
  LayerMaps maps;
  maps.variant = field_text(message, "variant");
  if (!analysis::effective_variant_from_name(maps.variant)) return fail(ErrorCode::kBadOption, "message: there is no variant called \"" + maps.variant + "\"");
  const std::string stem = "effective_attention." + maps.variant;
  NULLSCOPE_TRY(take(message, "attention_probs", {-1, tokens, tokens}, maps.raw));
  const int64_t heads = maps.raw.dim(0);
  NULLSCOPE_TRY(take(message, stem, {heads, tokens, tokens}, maps.effective));
  NULLSCOPE_TRY(take(message, stem + ".rank", {heads}, maps.rank));
  NULLSCOPE_TRY(take(message, stem + ".singular_values", {heads, -1}, maps.singular_values));
  NULLSCOPE_TRY(take(message, stem + ".output_residual_max", {heads}, maps.output_residual));
  NULLSCOPE_TRY(take(message, stem + ".pearson", {heads}, maps.pearson));
  NULLSCOPE_TRY(take(message, stem + ".row_sum", {heads, tokens}, maps.row_sum));
  NULLSCOPE_TRY(take(message, stem + ".cut", {heads}, maps.cut));
  for (const int64_t rank : maps.rank.values())
    if (rank < 0 || rank > tokens) return fail(ErrorCode::kBadIndex, "message: rank: expected 0 to " + std::to_string(tokens) + ", found " + std::to_string(rank));
  return maps;
}

Result<std::optional<Guesses>> read_guesses(const TensorBundle& message, int64_t tokens) {
  if (message.find("mlm.top10_ids") == nullptr) return std::nullopt;
  Guesses guesses;
  NULLSCOPE_TRY(take(message, "mlm.top10_ids", {tokens, -1}, guesses.ids));
  const int64_t count = guesses.ids.dim(1);
  if (count > kMostGuesses) return fail(ErrorCode::kTooLarge, "message: " + std::to_string(count) + " guesses for each token are too many");
  NULLSCOPE_TRY(take(message, "mlm.top10_probabilities", {tokens, count}, guesses.probabilities));
  const auto rows = io::parse_json(field_text(message, "mlm.top10_tokens"), "message: mlm.top10_tokens");
  if (!rows) return std::unexpected(rows.error());
  if (!rows->is_array() || static_cast<int64_t>(rows->size()) != tokens) return fail(ErrorCode::kBadShape, "message: mlm.top10_tokens: expected a row for each token");
  for (const nlohmann::json& row : *rows) {
    auto list = strings(row, "mlm.top10_tokens");
    if (!list) return std::unexpected(list.error());
    if (static_cast<int64_t>(list->size()) != count) return fail(ErrorCode::kBadShape, "message: mlm.top10_tokens: expected " + std::to_string(count) + " guesses a row");
    guesses.tokens.push_back(std::move(*list));
  }
  return guesses;
}

}  // namespace nullscope::session
