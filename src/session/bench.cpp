#include "session/bench.h"

#include <chrono>

#include "model/forward.h"

namespace nullscope::session {
namespace {

void append(std::vector<float>& all, const Tensor<float>& part) { all.insert(all.end(), part.values().begin(), part.values().end()); }

}  // namespace

std::optional<BenchMode> bench_mode_from_name(std::string_view name) {
  if (name == "forward") return BenchMode::kForward;
  if (name == "forward_all") return BenchMode::kForwardAll;
  return std::nullopt;
}

Result<BenchResult> run_bench(const model::BertWeights& weights, const model::ModelInput& input, BenchMode mode, int runs,
                              int warmup, const nn::Parallel& parallel) {
  model::TraceDetail detail = model::TraceDetail::last_hidden_state();
  if (mode == BenchMode::kForwardAll)
    for (const model::Site site : {model::Site::kHiddenStates, model::Site::kAttentionProbs}) detail.keep.set(static_cast<size_t>(site));
  BenchResult result;
  std::vector<float> states, probs;
  for (int run = -warmup; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const auto trace = model::forward<float>(weights, input, {}, detail, &parallel);
    if (!trace) return std::unexpected(trace.error());
    if (mode == BenchMode::kForwardAll) {
      states.clear();
      probs.clear();
      for (const Tensor<float>& hidden : trace->hidden_states) append(states, hidden);
      for (const auto& layer : trace->layers) append(probs, layer.attention_probs);
    }
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    if (run < 0) continue;
    result.milliseconds.push_back(spent.count());
    if (run + 1 < runs) continue;
    result.last_hidden_state = checksum(trace->hidden_states.back().values());
    if (mode == BenchMode::kForwardAll) result.attention_probs = checksum(std::span<const float>(probs));
  }
  return result;
}

model::ModelInput bench_input(const model::BertConfig& config, int tokens) {
  model::ModelInput input;
  for (int i = 0; i < tokens; ++i) input.ids.push_back((i * 97 + 1996) % config.vocabulary);
  return input;
}

}  // namespace nullscope::session
