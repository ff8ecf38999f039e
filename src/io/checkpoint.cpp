#include "io/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "io/guessed_config.h"
#include "io/model_files.h"
#include "io/safetensors.h"
#include "io/shard_index.h"
#include "io/source_tensor.h"
#include "io/tensor_names.h"

namespace nullscope::io {
namespace {
constexpr std::string_view kSingleFile = "model.safetensors";
}  // namespace

struct CheckpointLoader::State {
  LoadOptions options;
  bool has_config = false;
  bool tied = true;  // the word embedding decodes, whatever else the file holds
  std::optional<ShardIndex> index;
  std::set<std::string, std::less<>> shards_to_come;
  std::string first_unknown;  // a tensor name that is no BERT name, for the refusal
  std::string last_file;
  FoundTensors found;         // by canonical name
  std::set<std::string> used;
  model::BertWeights weights;
  LoadReport report;

  void set_config(model::BertConfig config) {
    weights.config = std::move(config);
    weights.layers.resize(static_cast<size_t>(weights.config.layers));
    has_config = true;
  }
  Status take(SourceTensor tensor);
  // Fills the slots whose tensors are here; true when all of them are filled.
  Result<bool> fill(const std::vector<WeightSlot>& slots);
  Status place();
  template <class Slots>
  Status place_head(std::optional<model::LinearWeights>& head, Slots slots);
  Status place_mlm();
  Status place_decoder(model::MlmHeadWeights& mlm);
  Status check_complete();
  void explain_heads();
  void list_unused();
};

Status CheckpointLoader::State::take(SourceTensor tensor) {
  if (is_bookkeeping(tensor.name)) return {};
  auto name = tensor_name(tensor.name);
  if (!name) {
    if (first_unknown.empty()) first_unknown = tensor.name;
    report.unused.push_back(std::move(tensor.name));
    return {};
  }
  tensor.transposed = name->transposed;
  const auto [it, fresh] = found.try_emplace(std::move(name->canonical), tensor);
  if (fresh) return {};
  const SourceTensor& first = it->second;
  if (first.dtype == tensor.dtype && first.shape == tensor.shape && first.bytes.text() == tensor.bytes.text()) return {};
  return fail(ErrorCode::kBadFormat,
              first.name + " and " + tensor.name + " are the same parameter with different values");
}

Result<bool> CheckpointLoader::State::fill(const std::vector<WeightSlot>& slots) {
  bool complete = true;
  for (const WeightSlot& slot : slots) {
    if (slot.weight->present()) continue;
    const auto it = found.find(slot.name);
    if (it == found.end()) {
      complete = false;
      continue;
    }
    auto weight = to_weight(it->second, slot, options.keep_double);
    if (!weight) return std::unexpected(std::move(weight.error()));
    *slot.weight = std::move(*weight);
    used.insert(slot.name);
  }
  return complete;
}

// A layer becomes visible all at once: `layer_ready` looks at one of its tensors only.
Status CheckpointLoader::State::place() {
  if (!has_config) return {};
  const auto embeddings = fill(embedding_slots(weights.config, weights.embeddings));
  if (!embeddings) return std::unexpected(embeddings.error());
  for (int layer = 0; layer < weights.config.layers; ++layer) {
    model::LayerWeights& target = weights.layers[static_cast<size_t>(layer)];
    if (weights.layer_ready(layer)) continue;
    model::LayerWeights arriving;
    const auto complete = fill(layer_slots(weights.config, layer, arriving));
    if (!complete) return std::unexpected(complete.error());
    if (*complete) target = std::move(arriving);
  }
  NULLSCOPE_TRY(place_head(weights.pooler, [&](auto& w) { return pooler_slots(weights.config, w); }));
  NULLSCOPE_TRY(place_head(weights.nsp, [&](auto& w) { return nsp_slots(weights.config, w); }));
  if (const auto it = found.find("classifier.weight"); it != found.end())
    NULLSCOPE_TRY(place_head(weights.classifier,
                             [&](auto& w) { return classifier_slots(weights.config, w, it->second.rows()); }));
  return place_mlm();
}

template <class Slots>
Status CheckpointLoader::State::place_head(std::optional<model::LinearWeights>& head, Slots slots) {
  if (head) return {};
  model::LinearWeights arriving;
  const auto complete = fill(slots(arriving));
  if (!complete) return std::unexpected(complete.error());
  if (*complete) head = std::move(arriving);
  return {};
}

// Waits for every shard, since a decoder of its own may be in the last one.
Status CheckpointLoader::State::place_mlm() {
  if (weights.mlm || !shards_to_come.empty() || !weights.embeddings.word.present()) return {};
  model::MlmHeadWeights arriving;
  const auto complete = fill(mlm_slots(weights.config, arriving));
  if (!complete) return std::unexpected(complete.error());
  if (!*complete) return {};
  NULLSCOPE_TRY(place_decoder(arriving));
  weights.mlm = std::move(arriving);
  return {};
}

Status CheckpointLoader::State::place_decoder(model::MlmHeadWeights& mlm) {
  const model::Weight& word = weights.embeddings.word;
  const auto filled = fill({mlm_decoder_slot(weights.config, mlm)});
  if (!filled) return std::unexpected(filled.error());
  model::Weight& decoder = mlm.decoder.weight;
  if (!*filled) {
    if (!tied)
      report.warnings.push_back(
          "config.json says tie_word_embeddings false, but there is no cls.predictions.decoder.weight: "
          "the word embedding decodes");
    decoder = word;
    return {};
  }
  const bool same = decoder.view().type == word.view().type &&
                    std::memcmp(decoder.view().data, word.view().data, byte_size(word.view())) == 0;
  if (!same && tied)
    report.warnings.push_back(
        "cls.predictions.decoder.weight differs from the word embedding and is not used, since config.json "
        "does not say tie_word_embeddings false");
  if (same || tied) decoder = word;
  return {};
}

Status CheckpointLoader::State::check_complete() {
  std::vector<WeightSlot> needed = embedding_slots(weights.config, weights.embeddings);
  for (const WeightSlot& slot : needed)
    if (!slot.weight->present())
      return fail(ErrorCode::kMissing,
                  last_file + ": " + slot.name + " is missing" + (index ? "" : " (a single shard without its index?)") +
                      (first_unknown.empty() ? "" : "; found names such as " + first_unknown));
  for (int layer = 0; layer < weights.config.layers; ++layer) {
    model::LayerWeights probe;
    for (const WeightSlot& slot : layer_slots(weights.config, layer, probe))
      if (!found.contains(slot.name))
        return fail(ErrorCode::kMissing, last_file + ": " + slot.name + " is missing (num_hidden_layers is " +
                                             std::to_string(weights.config.layers) + ")");
  }
  for (const std::string_view part : {"weight", "bias"}) {
    const std::string name = "pooler.dense." + std::string(part);
    const bool other = found.contains(part == "bias" ? "pooler.dense.weight" : "pooler.dense.bias");
    if (other && !found.contains(name)) return fail(ErrorCode::kMissing, last_file + ": " + name + " is missing");
  }
  return {};
}

void CheckpointLoader::State::explain_heads() {
  const auto lacking = [&](std::vector<WeightSlot> slots) -> std::string {
    for (const WeightSlot& slot : slots)
      if (!found.contains(slot.name)) return "the file has no " + slot.name;
    return {};
  };
  model::MlmHeadWeights mlm;
  model::LinearWeights linear;
  if (!weights.mlm) report.no_mlm = lacking(mlm_slots(weights.config, mlm));
  if (!weights.pooler) report.no_pooler = lacking(pooler_slots(weights.config, linear));
  if (!weights.nsp) report.no_nsp = lacking(nsp_slots(weights.config, linear));
  if (!weights.classifier) report.no_classifier = lacking(classifier_slots(weights.config, linear, 1));
  if (weights.nsp && !weights.pooler) {
    report.no_nsp = "it reads the pooler, and " + report.no_pooler;
    weights.nsp.reset();
  }
  if (weights.classifier && !weights.pooler) {
    report.no_classifier = "it reads the pooler, and " + report.no_pooler;
    weights.classifier.reset();
  }
  if (!report.no_mlm.empty()) report.warnings.push_back("no masked-word head (cls.predictions): " + report.no_mlm);
  if (!report.no_pooler.empty()) report.warnings.push_back("no pooler: " + report.no_pooler);
  if (!report.no_nsp.empty())
    report.warnings.push_back("no sentence-relation head (cls.seq_relationship): " + report.no_nsp);

  std::vector<std::string>& labels = weights.config.labels;
  if (weights.classifier && !labels.empty() &&
      labels.size() != static_cast<size_t>(weights.classifier->weight.rows())) {
    report.warnings.push_back("config.json names " + std::to_string(labels.size()) + " labels, the classifier has " +
                              std::to_string(weights.classifier->weight.rows()) + " outputs: they stay unnamed");
    labels.clear();
  }
}

void CheckpointLoader::State::list_unused() {
  bool more_layers = false;
  for (const auto& [canonical, tensor] : found)
    if (!used.contains(canonical)) {
      report.unused.push_back(tensor.name);
      more_layers |= canonical.starts_with("encoder.layer.");
    }
  if (more_layers)
    report.warnings.push_back("config.json says num_hidden_layers " + std::to_string(weights.config.layers) +
                              "; the weights hold more, which are not used");
}

CheckpointLoader::CheckpointLoader(std::unique_ptr<State> state) : state_(std::move(state)) {}
CheckpointLoader::CheckpointLoader(CheckpointLoader&&) noexcept = default;
CheckpointLoader& CheckpointLoader::operator=(CheckpointLoader&&) noexcept = default;
CheckpointLoader::~CheckpointLoader() = default;

Result<CheckpointLoader> CheckpointLoader::start(std::optional<std::string_view> config_json,
                                                 std::optional<std::string_view> index_json, LoadOptions options) {
  auto state = std::make_unique<State>();
  state->options = options;
  if (config_json) {
    auto config = parse_config(*config_json, &state->report.warnings);
    if (!config) return std::unexpected(std::move(config.error()));
    state->set_config(std::move(*config));
    state->tied = ties_word_embeddings(*config_json);
  }
  if (index_json) {
    auto index = parse_shard_index(*index_json);
    if (!index) return std::unexpected(std::move(index.error()));
    state->shards_to_come.insert(index->shards.begin(), index->shards.end());
    state->index = std::move(*index);
  } else {
    state->shards_to_come.insert(std::string(kSingleFile));
  }
  return CheckpointLoader(std::move(state));
}

std::vector<std::string> CheckpointLoader::missing_shards() const {
  return {state_->shards_to_come.begin(), state_->shards_to_come.end()};
}

Status CheckpointLoader::add_shard(std::string_view name, Bytes bytes) {
  const auto expected = state_->shards_to_come.find(name);
  if (state_->index && expected == state_->shards_to_come.end())
    return fail(ErrorCode::kBadOption, std::string(name) + " is not a shard that the index still waits for");
  auto header = parse_safetensors_header(bytes.view(), name);
  if (!header) return std::unexpected(std::move(header.error()));

  std::vector<SourceTensor> tensors;
  std::set<std::string_view> present;
  for (TensorEntry& entry : header->entries) {
    present.insert(entry.name);
    if (state_->index) {
      const auto owner = state_->index->shard_of.find(entry.name);
      if (owner != state_->index->shard_of.end() && owner->second != name) continue;
    }
    std::shared_ptr<const std::byte> data(bytes.data, bytes.data.get() + entry.begin);
    tensors.push_back({.name = entry.name,
                       .dtype = std::move(entry.dtype),
                       .shape = std::move(entry.shape),
                       .bytes = {std::move(data), entry.end - entry.begin}});
  }
  if (state_->index)
    for (const auto& [tensor, shard] : state_->index->shard_of)
      if (shard == name && !present.contains(tensor))
        return fail(ErrorCode::kMissing, std::string(name) + ": the index says that it holds " + tensor +
                                             ", which it does not");
  if (expected != state_->shards_to_come.end()) state_->shards_to_come.erase(expected);
  return add_tensors(name, std::move(tensors));
}

Status CheckpointLoader::add_tensors(std::string_view file, std::vector<SourceTensor> tensors) {
  state_->last_file = file;
  if (!state_->index) state_->shards_to_come.clear();
  for (SourceTensor& tensor : tensors) NULLSCOPE_TRY(state_->take(std::move(tensor)));
  return state_->place();
}

const model::BertWeights& CheckpointLoader::weights() const { return state_->weights; }
const LoadReport& CheckpointLoader::report() const { return state_->report; }
model::BertWeights CheckpointLoader::take() && { return std::move(state_->weights); }

Status CheckpointLoader::finish() {
  State& s = *state_;
  if (!s.shards_to_come.empty()) return fail(ErrorCode::kMissing, *s.shards_to_come.begin() + " is missing");
  if (s.found.empty())
    return fail(ErrorCode::kUnsupported,
                s.last_file + ": no tensor has a BERT name such as embeddings.word_embeddings.weight; " +
                    (s.first_unknown.empty() ? "the file holds no tensors" : "found names such as " + s.first_unknown));
  if (!s.has_config) {
    auto config = guessed_config(s.found, s.report.warnings);
    if (!config) return std::unexpected(std::move(config.error()));
    s.set_config(std::move(*config));
    s.report.config_guessed = true;
    NULLSCOPE_TRY(s.place());
  }
  NULLSCOPE_TRY(s.check_complete());
  s.explain_heads();
  s.list_unused();
  return {};
}

}  // namespace nullscope::io
