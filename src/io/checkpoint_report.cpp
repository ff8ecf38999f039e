// What is missing, what is off and why, what is of no use.
#include "io/checkpoint_state.h"

namespace nullscope::io {

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

}  // namespace nullscope::io
