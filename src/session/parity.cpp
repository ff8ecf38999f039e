#include "session/parity.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/expansion_rate.h"
#include "model/forward.h"
#include "model/predictions.h"

namespace nullscope::session {
namespace {

// Tolerances of float32 arithmetic against double, ten times the largest deviation seen over
// instruction sets, native and WebAssembly, on a 1-2-5 scale (weights/README.md has the figures).
constexpr double kHiddenTolerance = 2e-5;
constexpr double kAttentionTolerance = 2e-5;
constexpr double kProbabilityTolerance = 2e-5;
constexpr double kExpansionTolerance = 1e-9;  // double arithmetic on both sides
constexpr double kSameWeights = 1e-4;         // further apart: other weights, not another machine
constexpr int kGuesses = 10;

template <class S>
FieldPrint print_of(const Tensor<S>& field) {
  double squares = 0;
  for (const S x : field.values()) squares += static_cast<double>(x) * static_cast<double>(x);
  return {checksum(field.values()), std::sqrt(squares / static_cast<double>(field.size()))};
}

model::TraceDetail parity_detail(int mask_position) {
  model::TraceDetail detail;
  for (const model::Site site : {model::Site::kHiddenStates, model::Site::kAttentionProbs, model::Site::kMlmLogits})
    detail.keep.set(static_cast<size_t>(site));
  if (mask_position >= 0) detail.mlm_positions = {mask_position};
  return detail;
}

// Mean over heads and queries of the entropy of a row over that of a uniform one.
double uniformity(const Tensor<float>& probs) {
  const int64_t keys = probs.dim(2);
  if (keys < 2) return 0;
  double sum = 0;
  for (const float p : probs.values())
    if (p > 0) sum -= static_cast<double>(p) * std::log(static_cast<double>(p));
  return sum / static_cast<double>(probs.dim(0) * probs.dim(1)) / std::log(static_cast<double>(keys));
}

// A reference of the same sizes and storage, nullptr when there is none.
const ModelPrint* find_reference(const std::vector<ModelPrint>& references, const model::BertWeights& weights) {
  const auto sizes = [](const model::BertConfig& c) { return std::tuple(c.layers, c.heads, c.hidden, c.intermediate, c.vocabulary); };
  for (const ModelPrint& print : references)
    if (print.storage == storage_of(weights) && sizes(print.config) == sizes(weights.config)) return &print;
  return nullptr;
}

Result<double> random_score(const model::BertWeights& weights) {
  model::ModelInput input;
  for (int id = 0; id < std::min({16, weights.config.vocabulary, weights.config.positions}); ++id) input.ids.push_back(id);
  const auto trace = model::forward<float>(weights, input, {}, parity_detail(-1));
  if (!trace) return std::unexpected(trace.error());
  double score = 0;
  for (const auto& layer : trace->layers) score += uniformity(layer.attention_probs) / weights.config.layers;
  return score;
}

// Largest difference of the layers' expansion rates.
Result<double> rate_distance(const model::BertWeights& weights, const ModelPrint& reference) {
  const auto rates = analysis::expansion_rates(weights);
  if (!rates) return std::unexpected(rates.error());
  if (rates->size() != reference.expansion_rate.size()) return INFINITY;
  double worst = 0;
  for (size_t layer = 0; layer < rates->size(); ++layer)
    worst = std::max(worst, std::abs((*rates)[layer].affine - reference.expansion_rate[layer]));
  return worst;
}

// Largest relative distance over the fields of one site.
double field_distance(const std::vector<FieldPrint>& found, const std::vector<FieldPrint>& expected) {
  double worst = found.size() == expected.size() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
    worst = std::max(worst, checksum_distance(found[i].projections, expected[i].projections) / expected[i].rms);
  return worst;
}

Status compare_text(const model::BertWeights& weights, const TextPrint& expected, std::vector<ParityItem>& items) {
  const std::string text = std::to_string(expected.input.tokens()) + " tokens: ";
  const auto found = measure_text<float>(weights, expected.input, expected.mask_position);
  if (!found) return std::unexpected(found.error());
  items.push_back({text + "hidden_states, worst depth", field_distance(found->hidden_states, expected.hidden_states), kHiddenTolerance});
  items.push_back({text + "attention_probs, worst layer", field_distance(found->attention_probs, expected.attention_probs), kAttentionTolerance});
  if (expected.mask_position < 0 || !weights.mlm) return {};
  double worst = found->top_ids == expected.top_ids ? 0 : INFINITY;
  for (size_t k = 0; k < std::min(found->top_probabilities.size(), expected.top_probabilities.size()); ++k)
    worst = std::max(worst, std::abs(found->top_probabilities[k] - expected.top_probabilities[k]));
  items.push_back({text + "ten guesses at [MASK], their probabilities", worst, kProbabilityTolerance});
  return {};
}

}  // namespace

std::string storage_of(const model::BertWeights& weights) {
  switch (weights.layers.front().query.weight.view().type) {
    case nn::WeightType::kF16: return "F16";
    case nn::WeightType::kF32: return "F32";
    case nn::WeightType::kF64: return "F64";
  }
  return "";
}

template <class S>
Result<TextPrint> measure_text(const model::BertWeights& weights, const model::ModelInput& input, int mask_position) {
  const auto trace = model::forward<S>(weights, input, {}, parity_detail(mask_position));
  if (!trace) return std::unexpected(trace.error());
  TextPrint print;
  print.input = input;
  for (const Tensor<S>& hidden : trace->hidden_states) print.hidden_states.push_back(print_of(hidden));
  for (const auto& layer : trace->layers) print.attention_probs.push_back(print_of(layer.attention_probs));
  if (mask_position < 0 || trace->mlm_logits.empty()) return print;
  print.mask_position = mask_position;
  const auto top = model::top_predictions(trace->mlm_logits, kGuesses);
  for (int64_t k = 0; k < top.ids.dim(1); ++k) {
    print.top_ids.push_back(top.ids(mask_position, k));
    print.top_probabilities.push_back(top.probabilities(mask_position, k));
  }
  return print;
}

bool ParityReport::ok() const {
  return !items.empty() && std::all_of(items.begin(), items.end(), [](const ParityItem& item) { return item.ok(); });
}

Result<ParityReport> check_parity(const model::BertWeights& weights, const std::vector<ModelPrint>& references) {
  ParityReport report;
  const auto score = random_score(weights);
  if (!score) return std::unexpected(score.error());
  report.random_score = *score;
  const ModelPrint* reference = find_reference(references, weights);
  if (reference == nullptr) {
    report.no_reference = "no stored reference has these sizes with " + storage_of(weights) + " weights";
    return report;
  }
  const auto distance = rate_distance(weights, *reference);
  if (!distance) return std::unexpected(distance.error());
  if (*distance > kSameWeights) {
    report.no_reference = "the sizes are those of " + reference->name + ", but the weights are not its weights "
                          "(fine-tuned, another training, or damaged): expansion rates differ by " + std::to_string(*distance);
    return report;
  }
  report.reference = reference->name + " " + reference->storage;
  report.items.push_back({"expansion rates of all layers (weights only)", *distance, kExpansionTolerance});
  for (const TextPrint& expected : reference->texts) NULLSCOPE_TRY(compare_text(weights, expected, report.items));
  return report;
}

template Result<TextPrint> measure_text<float>(const model::BertWeights&, const model::ModelInput&, int);
template Result<TextPrint> measure_text<double>(const model::BertWeights&, const model::ModelInput&, int);

}  // namespace nullscope::session
