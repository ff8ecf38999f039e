// Bench: times of the engine, with checksums that catch a wrong one. Timed is the way from
// token ids in memory to the result in memory, embedding look-up included; loading is not.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/forward_trace.h"
#include "model/weights.h"
#include "nn/parallel.h"
#include "session/checksum.h"

namespace nullscope::session {

enum class BenchMode {
  kForward,     // "forward": last hidden state
  kForwardAll,  // "forward_all": all hidden states and attention probabilities too, copied out
};
std::optional<BenchMode> bench_mode_from_name(std::string_view name);

struct BenchResult {
  std::vector<double> milliseconds;            // of each timed run
  Checksum last_hidden_state{};                // of the last run, [T, C]
  std::optional<Checksum> attention_probs;     // forward_all: over [L, H, T, T]
};

// `warmup` runs go before and are not timed.
Result<BenchResult> run_bench(const model::BertWeights& weights, const model::ModelInput& input, BenchMode mode, int runs,
                              int warmup, const nn::Parallel& parallel);

// Token ids for timing when none are given, spread over the vocabulary.
model::ModelInput bench_input(const model::BertConfig& config, int tokens);

}  // namespace nullscope::session
