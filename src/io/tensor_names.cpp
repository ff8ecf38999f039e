#include "io/tensor_names.h"

#include <algorithm>

namespace nullscope::io {
namespace {

constexpr std::string_view kPrefixes[] = {"bert.", "module.", "model.", "0.auto_model."};
constexpr std::string_view kParts[] = {"embeddings.", "encoder.layer.", "pooler.", "cls.", "classifier."};

void replace_end(std::string& name, std::string_view from, std::string_view to) {
  if (name.ends_with(from)) name.replace(name.size() - from.size(), from.size(), to);
}

// "encoder/layer_3/..." to "encoder.layer.3....", the embedding tables get their ".weight".
std::string dotted(std::string_view in_file) {
  std::string name(in_file);
  std::ranges::replace(name, '/', '.');
  if (const size_t layer = name.find("layer_"); layer != std::string::npos) name[layer + 5] = '.';
  replace_end(name, ".kernel", ".weight");
  replace_end(name, "_embeddings", "_embeddings.weight");
  replace_end(name, ".output_weights", ".weight");
  replace_end(name, ".output_bias", ".bias");
  if (name == "output_weights") return "classifier.weight";
  if (name == "output_bias") return "classifier.bias";
  return name;
}

}  // namespace

bool is_bookkeeping(std::string_view in_file) {
  for (const std::string_view end : {"/adam_m", "/adam_v", "/Adam", "/Adam_1", ".exp_avg", ".exp_avg_sq", "/LAMB",
                                     "/LAMB_1", "position_ids", "token_type_ids", "global_step", "num_batches_tracked"})
    if (in_file.ends_with(end)) return true;
  return in_file.starts_with("save_counter") || in_file.starts_with("optimizer");
}

std::optional<TensorName> tensor_name(std::string_view in_file) {
  if (is_bookkeeping(in_file)) return std::nullopt;
  TensorName found;
  const bool tensorflow = in_file.find('.') == std::string_view::npos;
  found.transposed = tensorflow && in_file.ends_with("/kernel");
  std::string name = tensorflow ? dotted(in_file) : std::string(in_file);

  for (bool stripped = true; stripped;) {
    stripped = false;
    for (const std::string_view prefix : kPrefixes)
      if (name.starts_with(prefix)) {
        name.erase(0, prefix.size());
        stripped = true;
      }
  }
  replace_end(name, "LayerNorm.gamma", "LayerNorm.weight");
  replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  if (name == "cls.predictions.decoder.bias") name = "cls.predictions.bias";
  if (std::ranges::none_of(kParts, [&](std::string_view part) { return name.starts_with(part); })) return std::nullopt;
  found.canonical = std::move(name);
  return found;
}

}  // namespace nullscope::io
