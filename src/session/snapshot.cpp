#include "session/snapshot.h"

#include <vector>

#include "io/trace_bundle.h"
#include "session/engine.h"

namespace nullscope::session {
namespace {

bool is_map(std::string_view name) { return name == "attention_probs" || (name.starts_with("effective_attention.") && name.find('.', 20) == name.npos); }

// The layers' tensors of one name as one, [L, ...].
AnyTensor stacked(const std::vector<TensorBundle>& layers, const std::string& name) {
  AnyTensor out{layers.front().find(name)->dtype, layers.front().find(name)->shape, {}};
  out.shape.insert(out.shape.begin(), static_cast<int64_t>(layers.size()));
  for (const TensorBundle& layer : layers) {
    const AnyTensor* part = layer.find(name);
    out.bytes.insert(out.bytes.end(), part->bytes.begin(), part->bytes.end());
  }
  return is_map(name) ? AnyTensor::f16_from(*out.to_float()) : out;
}

}  // namespace

Result<TensorBundle> make_snapshot(std::string name, io::LoadedModel model, std::string text, std::optional<std::string> pair) {
  TensorBundle snapshot;
  std::vector<TensorBundle> layers;
  std::optional<Error> error;
  Engine engine([&](TensorBundle message) {
    const std::string kind = message.metadata["kind"];
    if (kind == "error") error = Error{ErrorCode::kBadOption, message.metadata["message"]};
    if (kind == "layer") {
      snapshot.metadata["variant"] = message.metadata["variant"];
      layers.push_back(std::move(message));
      return;
    }
    snapshot.tensors.merge(message.tensors);
    snapshot.metadata.merge(message.metadata);
  }, 1);
  engine.use_model(std::move(name), std::move(model));
  engine.submit({1, std::move(text), std::move(pair), analysis::EffectiveVariant::kValue, std::nullopt});
  while (engine.step() && !error) {
  }
  if (error) return std::unexpected(*error);
  for (const auto& [tensor, unused] : layers.front().tensors) snapshot.tensors.emplace(tensor, stacked(layers, tensor));
  snapshot.metadata["kind"] = "snapshot";
  snapshot.metadata["format"] = "1";
  snapshot.metadata.erase("request");
  return snapshot;
}

}  // namespace nullscope::session
