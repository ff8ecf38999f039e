#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "analysis/effective_attention.h"
#include "io/json.h"
#include "session/snapshot.h"

namespace nullscope::session {
namespace {

constexpr int64_t kMostLayers = 1024, kMostHeads = 1024, kMostTokens = 1 << 16;
constexpr double kLargestInt = 2147483647;
constexpr double kRounding = 1e-3;  // of F16 about 1

struct Range {
  double low, high;
  bool may_be_nan = false;
};
constexpr Range kAnyNumber{-1e30, 1e30}, kShare{0, 1 + kRounding};

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

class Splitter {
 public:
  Splitter(const TensorBundle& snapshot, int64_t number) : snapshot_(snapshot), number_(number) {}

  Result<std::vector<TensorBundle>> split() {
    NULLSCOPE_TRY(read_sizes());
    NULLSCOPE_TRY(add_texts());
    for (int64_t layer = 0; layer < layers_; ++layer) NULLSCOPE_TRY(add_layer(layer));
    NULLSCOPE_TRY(add_heads());
    add("done", {"milliseconds", "engine", "threads"});
    return std::move(messages_);
  }

 private:
  TensorBundle& add(const char* kind, std::initializer_list<const char*> fields) {
    TensorBundle& message = messages_.emplace_back();
    message.metadata["kind"] = kind;
    if (std::string_view(kind) != "model") message.metadata["request"] = std::to_string(number_);
    for (const char* field : fields)
      if (const auto it = snapshot_.metadata.find(field); it != snapshot_.metadata.end()) message.metadata[field] = it->second;
    return message;
  }

  std::string field(const char* name) const {
    const auto it = snapshot_.metadata.find(name);
    return it == snapshot_.metadata.end() ? "" : it->second;
  }

  Status read_sizes() {
    if (field("kind") != "snapshot") return fail(ErrorCode::kBadFormat, "this file is no snapshot: its kind is \"" + field("kind") + "\"");
    if (field("format") != "1")
      return fail(ErrorCode::kUnsupported, "snapshot: format \"1\" is read here, found \"" + field("format") + "\": make the snapshot again");
    const auto config = io::parse_json(field("config"), "snapshot: config");
    if (!config) return std::unexpected(config.error());
    for (const auto& [name, out, most] : {std::tuple("layers", &layers_, kMostLayers), std::tuple("heads", &heads_, kMostHeads)}) {
      const nlohmann::json* value = io::member(*config, name);
      if (value == nullptr || !value->is_number_integer() || value->get<int64_t>() < 1 || value->get<int64_t>() > most)
        return fail(ErrorCode::kBadFormat, std::string("snapshot: config.") + name + " must be a whole number from 1 to " + std::to_string(most));
      *out = value->get<int64_t>();
    }
    const AnyTensor* ids = snapshot_.find("ids");
    if (ids == nullptr) return fail(ErrorCode::kMissing, "snapshot: there is no tensor ids");
    if (ids->shape.size() != 1 || ids->shape[0] < 1 || ids->shape[0] > kMostTokens)
      return fail(ErrorCode::kBadShape, "snapshot: ids: expected one axis of 1 to " + std::to_string(kMostTokens) + " tokens, found " + shape_text(ids->shape));
    tokens_ = ids->shape[0];
    variant_ = field("variant");
    if (!analysis::effective_variant_from_name(variant_))
      return fail(ErrorCode::kBadOption, "snapshot: there is no variant called \"" + variant_ + "\"");
    return {};
  }

  // The tensor with its numbers as S, of the given shape and within the range; -1 stands for any extent.
  template <class S>
  Result<Tensor<S>> numbers(const std::string& name, Shape shape, Range range) const {
    const AnyTensor* tensor = snapshot_.find(name);
    if (tensor == nullptr) return fail(ErrorCode::kMissing, "snapshot: there is no tensor " + name);
    bool same = tensor->shape.size() == shape.size();
    for (size_t axis = 0; same && axis < shape.size(); ++axis) same = shape[axis] == -1 || shape[axis] == tensor->shape[axis];
    if (!same) return fail(ErrorCode::kBadShape, "snapshot: " + name + ": expected " + shape_text(shape) + ", found " + shape_text(tensor->shape));
    auto values = [&] {
      if constexpr (std::is_integral_v<S>) return tensor->to_int();
      else return tensor->to_double();
    }();
    if (!values) return fail(values.error().code, "snapshot: " + name + ": " + values.error().message);
    for (const auto value : values->values()) {
      const auto x = static_cast<double>(value);
      if (std::isnan(x) ? !range.may_be_nan : x < range.low || x > range.high)
        return fail(ErrorCode::kNotFinite, "snapshot: " + name + " holds " + std::to_string(x) + ", which is outside " +
                                               std::to_string(range.low) + ".." + std::to_string(range.high));
    }
    return values;
  }

  // Copies an integer tensor into the message once it is sound.
  Status take_integers(TensorBundle& message, const char* name, Shape shape, Range range) const {
    auto values = numbers<int64_t>(name, std::move(shape), range);
    if (!values) return std::unexpected(std::move(values.error()));
    message.tensors.emplace(name, AnyTensor::from(*values));
    return {};
  }

  // A JSON list of `tokens_` items, each of which `sound` accepts.
  Status check_list(const char* name, const std::function<bool(const nlohmann::json&)>& sound) const {
    const auto list = io::parse_json(field(name), std::string("snapshot: ") + name);
    if (!list) return std::unexpected(list.error());
    if (!list->is_array() || static_cast<int64_t>(list->size()) != tokens_)
      return fail(ErrorCode::kBadShape, std::string("snapshot: ") + name + ": expected a list with " + std::to_string(tokens_) + " items");
    for (const nlohmann::json& item : *list)
      if (!sound(item)) return fail(ErrorCode::kBadFormat, std::string("snapshot: ") + name + " holds " + io::json_excerpt(item));
    return {};
  }

  Status add_texts() {
    add("model", {"name", "config", "storage", "tokenizer", "warnings", "no_mlm", "no_pooler", "no_nsp", "no_classifier"});
    TensorBundle& message = add("tokens", {"text", "pair", "has_pair", "tokens", "cut_first", "cut_second"});
    message.metadata["layers"] = std::to_string(layers_);
    message.metadata["heads"] = std::to_string(heads_);
    NULLSCOPE_TRY(check_list("tokens", [](const nlohmann::json& item) { return item.is_string(); }));
    NULLSCOPE_TRY(take_integers(message, "ids", {tokens_}, {0, kLargestInt}));
    NULLSCOPE_TRY(take_integers(message, "segments", {tokens_}, {0, kLargestInt}));
    NULLSCOPE_TRY(take_integers(message, "words", {tokens_}, {-1, kLargestInt}));
    NULLSCOPE_TRY(take_integers(message, "sequence", {tokens_}, {-1, 1}));
    NULLSCOPE_TRY(take_integers(message, "offsets", {tokens_, 2}, {0, kLargestInt}));
    const auto offsets = message.find("offsets")->to_int();
    for (int64_t i = 0; i < tokens_; ++i)
      if ((*offsets)(i, 0) > (*offsets)(i, 1)) return fail(ErrorCode::kBadIndex, "snapshot: offsets: piece " + std::to_string(i) + " ends before it begins");
    return {};
  }

  // One layer of a tensor [L, H, ...] as float, [H, ...].
  Status take_layer(TensorBundle& message, const std::string& name, int64_t layer, Shape inner, Range range) {
    Shape shape = {layers_, heads_};
    shape.insert(shape.end(), inner.begin(), inner.end());
    auto it = checked_.find(name);
    if (it == checked_.end()) {
      auto values = numbers<double>(name, shape, range);
      if (!values) return std::unexpected(std::move(values.error()));
      it = checked_.emplace(name, std::move(*values)).first;
    }
    const Tensor<double>& all = it->second;
    Tensor<float> out(Shape(all.shape().begin() + 1, all.shape().end()));
    std::transform(all.block(layer), all.block(layer) + all.block_size(), out.data(), [](double x) { return static_cast<float>(x); });
    message.tensors.emplace(name, AnyTensor::from(out));
    return {};
  }

  Status add_layer(int64_t layer) {
    TensorBundle& message = add("layer", {"variant"});
    message.metadata["layer"] = std::to_string(layer);
    const std::string stem = "effective_attention." + variant_;
    NULLSCOPE_TRY(take_layer(message, "attention_probs", layer, {tokens_, tokens_}, kShare));
    NULLSCOPE_TRY(take_layer(message, stem, layer, {tokens_, tokens_}, kAnyNumber));
    NULLSCOPE_TRY(take_layer(message, stem + ".singular_values", layer, {-1}, {0, 1e30}));
    NULLSCOPE_TRY(take_layer(message, stem + ".row_sum", layer, {tokens_}, kAnyNumber));
    NULLSCOPE_TRY(take_layer(message, stem + ".output_residual_max", layer, {}, {0, 1e30}));
    NULLSCOPE_TRY(take_layer(message, stem + ".pearson", layer, {}, {-1 - kRounding, 1 + kRounding, true}));
    NULLSCOPE_TRY(take_layer(message, stem + ".cut", layer, {}, {0, 1}));
    const auto ranks = numbers<int64_t>(stem + ".rank", {layers_, heads_}, {0, static_cast<double>(tokens_)});
    if (!ranks) return std::unexpected(ranks.error());
    Tensor<int64_t> rank({heads_});
    std::copy_n(ranks->block(layer), heads_, rank.data());
    message.tensors.emplace(stem + ".rank", AnyTensor::from(rank));
    return {};
  }

  Status add_heads() {
    TensorBundle& message = add("heads", {});
    for (const char* name : {"nsp_logits", "class_logits"}) {
      if (snapshot_.find(name) == nullptr) continue;
      const auto logits = numbers<double>(name, {std::string_view(name) == "nsp_logits" ? 2 : -1}, kAnyNumber);
      if (!logits) return std::unexpected(logits.error());
      message.tensors.emplace(name, *snapshot_.find(name));
    }
    if (snapshot_.find("mlm.top10_ids") == nullptr) return {};
    NULLSCOPE_TRY(take_integers(message, "mlm.top10_ids", {tokens_, -1}, {0, kLargestInt}));
    const int64_t count = message.find("mlm.top10_ids")->shape[1];
    const auto probabilities = numbers<double>("mlm.top10_probabilities", {tokens_, count}, kShare);
    if (!probabilities) return std::unexpected(probabilities.error());
    message.tensors.emplace("mlm.top10_probabilities", AnyTensor::from(*probabilities));
    message.metadata["mlm.top10_tokens"] = field("mlm.top10_tokens");
    return check_list("mlm.top10_tokens", [count](const nlohmann::json& row) {
      return row.is_array() && static_cast<int64_t>(row.size()) == count &&
             std::all_of(row.begin(), row.end(), [](const nlohmann::json& item) { return item.is_string(); });
    });
  }

  const TensorBundle& snapshot_;
  int64_t number_;
  int64_t layers_ = 0, heads_ = 0, tokens_ = 0;
  std::string variant_;
  std::map<std::string, Tensor<double>> checked_;
  std::vector<TensorBundle> messages_;
};

}  // namespace

Result<std::vector<TensorBundle>> split_snapshot(const TensorBundle& snapshot, int64_t number) {
  return Splitter(snapshot, number).split();
}

}  // namespace nullscope::session
