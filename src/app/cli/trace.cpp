// nullscope trace: every site of every layer, and what the heads say.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "io/trace_bundle.h"
#include "model/forward.h"
#include "model/predictions.h"

namespace nullscope::app {
namespace {

struct Flags {
  ModelFlags model;
  TextFlags text;
  OutputFlags output;
  std::vector<std::string> sites;
  int top_k = 10;
};

Result<model::TraceDetail> detail_of(const std::vector<std::string>& sites) {
  if (sites.empty()) return model::TraceDetail::everything();
  model::TraceDetail detail;
  for (const std::string& name : sites) {
    const auto site = model::site_from_name(name);
    if (!site) return fail(ErrorCode::kBadOption, "--sites: there is no site called '" + name + "'");
    detail.keep.set(static_cast<size_t>(*site));
  }
  return detail;
}

std::string piece(const io::LoadedModel& loaded, int64_t id) {
  if (!loaded.tokenizer || id >= loaded.tokenizer->vocabulary().size()) return "#" + std::to_string(id);
  return loaded.tokenizer->vocabulary().token(static_cast<int>(id));
}

nlohmann::ordered_json softmax_json(const Tensor<float>& logits) {
  double largest = -INFINITY, sum = 0;
  for (const float x : logits.values()) largest = std::max(largest, static_cast<double>(x));
  for (const float x : logits.values()) sum += std::exp(x - largest);
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const float x : logits.values()) out.push_back(std::exp(x - largest) / sum);
  return out;
}

nlohmann::ordered_json summary_of(const io::LoadedModel& loaded, const Item& item, const model::ForwardTrace<float>& trace,
                                  const std::optional<model::TopPredictions>& top) {
  nlohmann::ordered_json summary = {{"tokens", trace.tokens()}, {"ids", item.input.ids}};
  for (int position = 0; position < trace.tokens(); ++position) summary["pieces"].push_back(item.token(position));
  if (top) {
    for (int64_t position = 0; position < top->ids.dim(0); ++position) {
      nlohmann::ordered_json row;
      for (int64_t k = 0; k < top->ids.dim(1); ++k)
        row.push_back({{"id", top->ids(position, k)}, {"token", piece(loaded, top->ids(position, k))},
                       {"probability", top->probabilities(position, k)}});
      summary["mlm"].push_back(row);
    }
  } else {
    summary["mlm"] = nullptr;
    if (!loaded.report.no_mlm.empty()) summary["no_mlm"] = loaded.report.no_mlm;
  }
  if (!trace.nsp_logits.empty()) summary["nsp_probabilities"] = softmax_json(trace.nsp_logits);
  if (!trace.class_logits.empty()) {
    summary["class_probabilities"] = softmax_json(trace.class_logits);
    summary["labels"] = loaded.weights.config.labels;
  }
  return summary;
}

void print_summary(const io::LoadedModel& loaded, const Item& item, const std::optional<model::TopPredictions>& top,
                   const nlohmann::ordered_json& summary) {
  std::printf("%d tokens\n", item.input.tokens());
  for (int position = 0; top && position < item.input.tokens(); ++position) {
    std::printf("%4d  %-14s", position, item.token(position).c_str());
    for (int64_t k = 0; k < std::min<int64_t>(5, top->ids.dim(1)); ++k)
      std::printf("  %s %.4f", piece(loaded, top->ids(position, k)).c_str(), top->probabilities(position, k));
    std::printf("\n");
  }
  if (!top && !loaded.report.no_mlm.empty()) std::printf("no word guesses: %s\n", loaded.report.no_mlm.c_str());
  for (const char* key : {"nsp_probabilities", "class_probabilities"})
    if (summary.contains(key)) std::printf("%s %s\n", key, summary[key].dump().c_str());
}

int run(const Flags& flags) {
  const auto detail = detail_of(flags.sites);
  if (!detail) return report(detail.error());
  const auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  const auto items = read_items(flags.text, loaded->tokenizer ? &*loaded->tokenizer : nullptr, loaded->weights.config.positions);
  if (!items) return report(items.error());
  const nn::Parallel parallel(flags.model.threads);
  TensorBundle bundle;
  for (size_t i = 0; i < items->size(); ++i) {
    const Item& item = (*items)[i];
    const auto trace = model::forward<float>(loaded->weights, item.input, {}, *detail, &parallel);
    if (!trace) return report(trace.error());
    std::optional<model::TopPredictions> top;
    if (!trace->mlm_logits.empty()) top = model::top_predictions(trace->mlm_logits, flags.top_k);
    const nlohmann::ordered_json summary = summary_of(*loaded, item, *trace, top);
    if (flags.output.json)
      print_json(summary);
    else
      print_summary(*loaded, item, top, summary);
    if (flags.output.out.empty()) continue;
    TensorBundle part = io::trace_bundle(*trace);
    if (item.encoding) merge(part, io::encoding_bundle(*item.encoding), "");
    if (top) {
      const std::string stem = "mlm.top" + std::to_string(top->ids.dim(1));
      part.tensors.emplace(stem + "_ids", AnyTensor::from(top->ids));
      part.tensors.emplace(stem + "_probabilities", AnyTensor::from(top->probabilities));
    }
    merge(bundle, std::move(part), items->size() == 1 ? "" : std::to_string(i) + "/");
  }
  return finish(flags.output, bundle);
}

}  // namespace

void add_trace(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("trace", "Every site of every layer, word guesses, sentence and class scores");
  add_model_flags(*command, flags->model);
  add_text_flags(*command, flags->text, true);
  command->add_option("--sites", flags->sites, "keep only these sites, e.g. hidden_states,attention_probs")->delimiter(',');
  command->add_option("--top-k", flags->top_k, "guesses per position")->capture_default_str()->check(CLI::Range(1, 1000));
  add_output_flags(*command, flags->output);
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
