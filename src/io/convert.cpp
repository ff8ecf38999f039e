#include "io/convert.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "io/folder.h"
#include "io/model_json.h"
#include "io/safetensors.h"
#include "io/sha256.h"
#include "io/source_tensor.h"

namespace nullscope::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Result<AnyTensor> stored(const WeightSlot& slot, Storage storage) {
  const nn::WeightView& view = slot.weight->view();
  AnyTensor tensor{storage == Storage::kF16 ? Dtype::kF16 : Dtype::kF32, {}, {}};
  for (const Extent& extent : slot.shape) tensor.shape.push_back(extent.size);
  const bool as_is = storage == Storage::kF16 ? view.type == nn::WeightType::kF16 : view.type == nn::WeightType::kF32;
  if (as_is) {
    const auto* from = static_cast<const std::byte*>(view.data);
    tensor.bytes.assign(from, from + byte_size(view));
    return tensor;
  }
  Tensor<float> wide(tensor.shape);
  for (int64_t row = 0; row < view.rows; ++row) nn::widen_row(view, row, wide.data() + row * view.cols);
  if (storage == Storage::kF32) return AnyTensor::from(wide);
  constexpr float kFirstInfinite = 65520.0f;  // rounds to infinity in F16
  for (const float value : wide.values())
    if (!(std::abs(value) < kFirstInfinite))
      return fail(ErrorCode::kNotFinite, slot.name + ": " + std::to_string(value) + " is beyond the range of F16");
  return AnyTensor::f16_from(wide);
}

// Hugging Face keeps the encoder under "bert." and the heads beside it.
std::string name_in_file(const std::string& canonical) {
  const bool head = canonical.starts_with("cls.") || canonical.starts_with("classifier.");
  return head ? canonical : "bert." + canonical;
}

void append(std::vector<WeightSlot>& slots, std::vector<WeightSlot> more) {
  slots.insert(slots.end(), more.begin(), more.end());
}

std::vector<WeightSlot> head_slots(model::BertWeights& weights) {
  std::vector<WeightSlot> slots;
  if (weights.pooler) append(slots, pooler_slots(weights.config, *weights.pooler));
  if (weights.nsp) append(slots, nsp_slots(weights.config, *weights.nsp));
  if (weights.classifier)
    append(slots, classifier_slots(weights.config, *weights.classifier, weights.classifier->weight.rows()));
  if (weights.mlm) {
    append(slots, mlm_slots(weights.config, *weights.mlm));
    if (weights.mlm->decoder.weight.view().data != weights.embeddings.word.view().data)
      slots.push_back(mlm_decoder_slot(weights.config, *weights.mlm));
  }
  return slots;
}

// Writes files and remembers what the manifest and the index say about them.
class FolderWriter {
 public:
  FolderWriter(fs::path folder, Storage storage) : folder_(std::move(folder)), storage_(storage) {}

  Status file(const std::string& name, std::span<const std::byte> bytes) {
    files_.push_back({{"name", name}, {"bytes", bytes.size()}, {"sha256", sha256_hex(bytes)}});
    return write_file(folder_ / name, bytes);
  }
  Status text(const std::string& name, const std::string& content) {
    return file(name, std::as_bytes(std::span(content)));
  }
  Status json(const std::string& name, const Json& value) { return text(name, value.dump(2) + "\n"); }

  Status shard(const std::string& name, const std::vector<WeightSlot>& slots) {
    TensorBundle bundle;
    bundle.metadata["format"] = "pt";  // transformers wants to know who wrote it
    for (const WeightSlot& slot : slots) {
      auto tensor = stored(slot, storage_);
      if (!tensor) return std::unexpected(std::move(tensor.error()));
      total_ += tensor->bytes.size();
      const std::string in_file = name_in_file(slot.name);
      weight_map_[in_file] = name;
      bundle.tensors.emplace(in_file, std::move(*tensor));
    }
    return file(name, write_bundle(bundle));
  }
  Json index() const { return {{"metadata", {{"total_size", total_}}}, {"weight_map", weight_map_}}; }
  const Json& files() const { return files_; }

 private:
  fs::path folder_;
  Storage storage_;
  Json files_ = Json::array(), weight_map_ = Json::object();
  size_t total_ = 0;
};

std::string shard_name(size_t number, size_t count) {
  char name[64];
  std::snprintf(name, sizeof name, "model-%05zu-of-%05zu.safetensors", number, count);
  return name;
}

}  // namespace

Status convert(const LoadedModel& model, const fs::path& folder, const ConvertOptions& options,
               const LoadProgress& progress) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorCode::kIo, folder.string() + ": cannot create: " + error.message());
  fs::remove(folder / kManifestName, error);  // while it is missing, the folder is incomplete

  model::BertWeights weights = model.weights;  // shares the bytes
  std::vector<std::vector<WeightSlot>> parts{embedding_slots(weights.config, weights.embeddings)};
  for (int layer = 0; layer < weights.config.layers; ++layer)
    parts.push_back(layer_slots(weights.config, layer, weights.layers[static_cast<size_t>(layer)]));
  const bool has_heads = !head_slots(weights).empty();
  if (has_heads) parts.push_back(head_slots(weights));

  FolderWriter writer(folder, options.storage);
  std::vector<std::string> names;
  for (size_t i = 0; i < parts.size(); ++i) {
    names.push_back(shard_name(i + 1, parts.size()));
    if (progress) progress(names.back(), static_cast<double>(i) / static_cast<double>(parts.size()));
    NULLSCOPE_TRY(writer.shard(names.back(), parts[i]));
  }
  const bool half = options.storage == Storage::kF16;
  NULLSCOPE_TRY(writer.json("model.safetensors.index.json", writer.index()));
  NULLSCOPE_TRY(writer.json("config.json", config_json(weights, half ? "float16" : "float32")));
  if (model.tokenizer) {
    const auto lines = vocab_txt(model.tokenizer->vocabulary());
    if (!lines) return std::unexpected(lines.error());
    NULLSCOPE_TRY(writer.text("vocab.txt", *lines));
    NULLSCOPE_TRY(
        writer.json("tokenizer_config.json", tokenizer_config_json(*model.tokenizer, weights.config.positions)));
  }

  const auto first_layer = names.begin() + 1;
  const Json manifest = {
      {"format", 1},
      {"name", options.name},
      {"source", options.source},
      {"storage", half ? "F16" : "F32"},
      {"files", writer.files()},
      {"shards",
       {{"embeddings", names.front()},
        {"layers", std::vector<std::string>(first_layer, first_layer + weights.config.layers)},
        {"heads", has_heads ? Json(names.back()) : Json(nullptr)}}}};
  const std::string text = manifest.dump(2) + "\n";
  NULLSCOPE_TRY(write_file(folder / kManifestName, std::as_bytes(std::span(text))));
  if (progress) progress("done", 1.0);
  return {};
}

}  // namespace nullscope::io
