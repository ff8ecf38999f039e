// nullscope identity: how far each token can be recognised at each depth (naive look-up).
#include <cstdio>
#include <map>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "model/forward.h"
#include "probe/token_identity.h"

namespace nullscope::app {
namespace {

const std::map<std::string, probe::IdentityInput> kInputs = {
    {"before_layer_norm", probe::IdentityInput::kBeforeLayerNorm}, {"after_layer_norm", probe::IdentityInput::kAfterLayerNorm}};
const std::map<std::string, probe::IdentityDistance> kDistances = {{"cosine", probe::IdentityDistance::kCosine},
                                                                  {"l2", probe::IdentityDistance::kL2}};

struct Flags {
  ModelFlags model;
  TextFlags text;
  OutputFlags output;
  std::string candidates = "sequence";
  std::string input = "after_layer_norm", distance = "cosine";
};

// The site that the candidates come from, as tests/golden names it.
std::string candidate_site(const std::string& input) {
  return input == "before_layer_norm" ? "embedding_sum" : "hidden_states_0";
}

int run(const Flags& flags) {
  const auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  const model::BertWeights& weights = loaded->weights;
  const auto items = read_items(flags.text, loaded->tokenizer ? &*loaded->tokenizer : nullptr, weights.config.positions);
  if (!items) return report(items.error());

  const nn::Parallel parallel(flags.model.threads);
  model::TraceDetail detail;
  detail.keep.set(static_cast<size_t>(model::Site::kEmbeddingSum));
  detail.keep.set(static_cast<size_t>(model::Site::kHiddenStates));
  const std::string stem = "token_identity." + candidate_site(flags.input) + "." + flags.distance;
  TensorBundle bundle;
  std::vector<double> identified(static_cast<size_t>(weights.config.layers) + 1);
  double tokens = 0;
  for (size_t i = 0; i < items->size(); ++i) {
    const auto trace = model::forward<float>(weights, (*items)[i].input, {}, detail, &parallel);
    if (!trace) return report(trace.error());
    const auto result = probe::token_identity(*trace, kInputs.at(flags.input), kDistances.at(flags.distance));
    if (!result) return report(result.error());
    const int count = trace->tokens();
    tokens += count;
    for (size_t depth = 0; depth < identified.size(); ++depth) identified[depth] += result->rate[depth] * count;
    if (items->size() > 20 && (i + 1) % 20 == 0) std::fprintf(stderr, "\r%zu of %zu texts", i + 1, items->size());
    if (flags.output.out.empty()) continue;
    TensorBundle part;
    Tensor<double> rate({static_cast<int64_t>(result->rate.size())});
    std::copy(result->rate.begin(), result->rate.end(), rate.data());
    part.tensors.emplace(stem + ".nearest", AnyTensor::from(result->nearest));
    part.tensors.emplace(stem + ".distance", AnyTensor::from(result->distance));
    part.tensors.emplace(stem + ".rate", AnyTensor::from(rate));
    merge(bundle, std::move(part), items->size() == 1 ? "" : std::to_string(i) + "/");
  }
  if (items->size() > 20) std::fprintf(stderr, "\n");

  for (double& rate : identified) rate /= tokens;
  const double chance = static_cast<double>(items->size()) / tokens;  // mean of 1/T weighted by T
  if (flags.output.json) {
    print_json({{"candidates", flags.candidates}, {"input", flags.input}, {"distance", flags.distance},
                {"texts", items->size()}, {"tokens", tokens}, {"rate", identified}, {"chance", chance}});
  } else {
    std::printf("Tokens identified by the nearest %s of the same sequence (%s), %.0f tokens; chance %.1f %%\n",
                candidate_site(flags.input).c_str(), flags.distance.c_str(), tokens, 100 * chance);
    for (size_t depth = 0; depth < identified.size(); ++depth)
      std::printf("  depth %2zu  %5.1f %%\n", depth, 100 * identified[depth]);
  }
  return finish(flags.output, bundle);
}

}  // namespace

void add_identity(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("identity", "Share of tokens still recognisable at each depth (naive look-up)");
  add_model_flags(*command, flags->model);
  add_text_flags(*command, flags->text, true);
  command->add_option("--candidates", flags->candidates, "where to look: this sequence")
      ->capture_default_str()
      ->check(CLI::IsMember({"sequence"}));
  command->add_option("--input", flags->input, "candidates before or after the embedding LayerNorm")
      ->capture_default_str()
      ->check(CLI::IsMember(kInputs));
  command->add_option("--distance", flags->distance, "cosine or l2")->capture_default_str()->check(CLI::IsMember(kDistances));
  add_output_flags(*command, flags->output);
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
