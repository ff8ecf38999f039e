#include "io/checkpoint.h"

#include "io/checkpoint_state.h"
#include "io/model_files.h"
#include "io/safetensors.h"

namespace nullscope::io {
namespace {
constexpr std::string_view kSingleFile = "model.safetensors";
}  // namespace

CheckpointLoader::CheckpointLoader(std::unique_ptr<State> state) : state_(std::move(state)) {}
CheckpointLoader::CheckpointLoader(CheckpointLoader&&) noexcept = default;
CheckpointLoader& CheckpointLoader::operator=(CheckpointLoader&&) noexcept = default;
CheckpointLoader::~CheckpointLoader() = default;

Result<CheckpointLoader> CheckpointLoader::start(std::optional<std::string_view> config_json,
                                                 std::optional<std::string_view> index_json, LoadOptions options) {
  auto state = std::make_unique<State>();
  state->options = options;
  state->weights.heads_pending = true;
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
  s.weights.heads_pending = false;
  s.explain_heads();
  s.list_unused();
  s.found.clear();  // shards that nothing points into any more are let go
  return {};
}

}  // namespace nullscope::io
