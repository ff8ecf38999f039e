#include "io/model_files.h"

#include <algorithm>

#include "io/foreign_format.h"
#include "io/source_tensor.h"
#include "io/tf_bundle.h"

namespace nullscope::io {
namespace {

constexpr std::string_view kIndexJson = "model.safetensors.index.json";

// The files of one load, each read once.
class Reading {
 public:
  Reading(const FileSource& source, const LoadProgress& progress)
      : source_(source), progress_(progress), names_(source.list()) {
    std::ranges::sort(names_);
  }
  const std::vector<std::string>& names() const { return names_; }
  bool has(std::string_view name) const { return std::ranges::binary_search(names_, name); }

  Result<Bytes> read(const std::string& name) const { return source_.read(name); }
  // The first of the names that is there; an empty block when none is.
  Result<std::optional<Bytes>> read_first(std::initializer_list<std::string_view> choices) const {
    for (const std::string_view name : choices)
      if (has(name)) {
        auto bytes = read(std::string(name));
        if (!bytes) return std::unexpected(std::move(bytes.error()));
        return std::optional(std::move(*bytes));
      }
    return std::optional<Bytes>();
  }
  std::vector<std::string> ending_in(std::string_view end) const {
    std::vector<std::string> found;
    for (const std::string& name : names_)
      if (name.ends_with(end)) found.push_back(name);
    return found;
  }
  void tell(std::string_view what, double fraction) const {
    if (progress_) progress_(what, fraction);
  }

 private:
  const FileSource& source_;
  const LoadProgress& progress_;
  std::vector<std::string> names_;
};

std::optional<std::string_view> text_of(const std::optional<Bytes>& bytes) {
  return bytes ? std::optional(bytes->text()) : std::nullopt;
}

Status read_shards(const Reading& reading, CheckpointLoader& loader, const std::vector<std::string>& files) {
  double done = 0;
  for (const std::string& file : files) {
    reading.tell(file, done++ / static_cast<double>(files.size()));
    if (!reading.has(file)) return fail(ErrorCode::kMissing, file + " is missing");
    auto bytes = reading.read(file);
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    NULLSCOPE_TRY(loader.add_shard(file, std::move(*bytes)));
  }
  return {};
}

Status read_bundle_files(const Reading& reading, CheckpointLoader& loader, const std::string& index_name) {
  const auto index_bytes = reading.read(index_name);
  if (!index_bytes) return std::unexpected(index_bytes.error());
  const auto index = parse_tf_index(index_bytes->view(), index_name);
  if (!index) return std::unexpected(index.error());
  const std::string stem = index_name.substr(0, index_name.size() - std::string_view(".index").size());
  for (int shard = 0; shard < index->shards; ++shard) {
    const std::string file = stem + tf_shard_suffix(shard, index->shards);
    reading.tell(file, static_cast<double>(shard) / index->shards);
    if (!reading.has(file)) return fail(ErrorCode::kMissing, file + " is missing");
    const auto bytes = reading.read(file);
    if (!bytes) return std::unexpected(bytes.error());
    auto tensors = tf_tensors(*index, shard, *bytes, file);
    if (!tensors) return std::unexpected(std::move(tensors.error()));
    NULLSCOPE_TRY(loader.add_tensors(file, std::move(*tensors)));
  }
  return {};
}

// Weights that other programs read: say so rather than that nothing was found.
Status refuse_foreign(const Reading& reading) {
  for (const std::string_view end : {".bin", ".pt", ".pth", ".h5", ".msgpack", ".gguf", ".onnx", ".ckpt"})
    for (const std::string& name : reading.ending_in(end)) {
      const auto bytes = reading.read(name);
      if (!bytes) return std::unexpected(bytes.error());
      const std::string_view format = foreign_format(bytes->view());
      return fail(ErrorCode::kUnsupported, name + (format.empty() ? "" : " is " + std::string(format)) +
                                               ": expected weights as model.safetensors or a TensorFlow checkpoint");
    }
  return fail(ErrorCode::kMissing, "no weights: expected model.safetensors, a set of shards with " +
                                       std::string(kIndexJson) + ", or a TensorFlow checkpoint (*.index)");
}

Status read_weights(const Reading& reading, CheckpointLoader& loader, bool sharded) {
  if (sharded) return read_shards(reading, loader, loader.missing_shards());
  if (reading.has("model.safetensors")) return read_shards(reading, loader, {"model.safetensors"});
  const auto single = reading.ending_in(".safetensors");
  if (single.size() == 1) return read_shards(reading, loader, single);
  if (single.size() > 1)
    return fail(ErrorCode::kMissing, std::string(kIndexJson) + " is missing: there are " +
                                         std::to_string(single.size()) + " .safetensors files and none of them is "
                                         "model.safetensors");
  const auto bundles = reading.ending_in(".index");
  if (bundles.size() == 1) return read_bundle_files(reading, loader, bundles.front());
  if (bundles.size() > 1)
    return fail(ErrorCode::kUnsupported, "several TensorFlow checkpoints in one place: " + bundles[0] + " and " +
                                             bundles[1]);
  return refuse_foreign(reading);
}

Status read_tokenizer(const Reading& reading, LoadedModel& model) {
  const auto vocab = reading.read_first({"vocab.txt", "assets/vocab.txt"});
  if (!vocab) return std::unexpected(vocab.error());
  const auto tokenizer = reading.read_first({"tokenizer.json"});
  if (!tokenizer) return std::unexpected(tokenizer.error());
  const auto settings = reading.read_first({"tokenizer_config.json"});
  if (!settings) return std::unexpected(settings.error());
  if (!*vocab && !*tokenizer) {
    model.report.warnings.push_back("no vocab.txt or tokenizer.json: text cannot be split into tokens");
    return {};
  }
  TokenizerReport report;
  auto loaded = load_tokenizer({text_of(*vocab), text_of(*tokenizer), text_of(*settings)}, &report);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  std::ranges::move(report.warnings, std::back_inserter(model.report.warnings));
  const int pieces = loaded->vocabulary().size(), rows = model.weights.config.vocabulary;
  if (pieces > rows)
    return fail(ErrorCode::kBadShape, "the vocabulary has " + std::to_string(pieces) +
                                          " pieces, the word embedding only " + std::to_string(rows) + " rows");
  model.tokenizer = std::move(*loaded);
  return {};
}

}  // namespace

Result<LoadedModel> load_model(const FileSource& source, const LoadOptions& options, const LoadProgress& progress) {
  const Reading reading(source, progress);
  const auto config = reading.read_first({"config.json", "bert_config.json"});
  if (!config) return std::unexpected(config.error());
  const bool sharded = !reading.has("model.safetensors") && reading.has(kIndexJson);
  std::optional<Bytes> index;
  if (sharded) {
    auto bytes = reading.read(std::string(kIndexJson));
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    index = std::move(*bytes);
  }
  auto loader = CheckpointLoader::start(text_of(*config), text_of(index), options);
  if (!loader) return std::unexpected(std::move(loader.error()));
  NULLSCOPE_TRY(read_weights(reading, *loader, sharded));
  NULLSCOPE_TRY(loader->finish());

  LoadedModel model{.weights = {}, .tokenizer = {}, .report = loader->report()};
  model.weights = std::move(*loader).take();
  NULLSCOPE_TRY(read_tokenizer(reading, model));
  reading.tell("done", 1.0);
  return model;
}

}  // namespace nullscope::io
