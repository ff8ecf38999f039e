// nullscope bench: times as JSON on standard output, one object.
#include <cstdio>
#include <memory>

#include <sys/resource.h>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "nn/linear.h"
#include "session/bench.h"
#include "session/parity.h"

namespace nullscope::app {
namespace {

struct Flags {
  ModelFlags model;
  int tokens = 128, runs = 5, warmup = 2;
  std::string mode = "forward";
  std::vector<int> ids, segments;
};

int run(const Flags& flags) {
  const auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  model::ModelInput input = session::bench_input(loaded->weights.config, flags.tokens);
  if (!flags.ids.empty()) input = {flags.ids, flags.segments, {}};
  const nn::Parallel parallel(flags.model.threads);
  const auto result = session::run_bench(loaded->weights, input, *session::bench_mode_from_name(flags.mode), flags.runs, flags.warmup, parallel);
  if (!result) return report(result.error());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  nlohmann::ordered_json summary = {{"ms", result->milliseconds}, {"checksum", result->last_hidden_state}};
  if (result->attention_probs) summary["checksum_attention"] = *result->attention_probs;
  summary["rssBytes"] = static_cast<int64_t>(usage.ru_maxrss) * 1024;
  summary["engine"] = {{"name", "nullscope " + std::string(nn::instruction_set()) + " " + session::storage_of(loaded->weights)},
                       {"version", NULLSCOPE_VERSION}};
  print_json(summary);
  return kExitOk;
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("bench", "Times and checksums of the engine as JSON");
  add_model_flags(*command, flags->model);
  command->add_option("--n", flags->tokens, "tokens, when --ids is not given")->capture_default_str()->check(CLI::Range(1, 1 << 16));
  command->add_option("--mode", flags->mode, "what to compute")->capture_default_str()->check(CLI::IsMember({"forward", "forward_all"}));
  command->add_option("--runs", flags->runs, "timed runs")->capture_default_str()->check(CLI::Range(1, 100000));
  command->add_option("--warmup", flags->warmup, "runs before, not timed")->capture_default_str()->check(CLI::Range(0, 1000));
  auto* ids = command->add_option("--ids", flags->ids, "token ids, separated by commas")->delimiter(',');
  command->add_option("--segments", flags->segments, "segment of each id")->delimiter(',')->needs(ids);
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
