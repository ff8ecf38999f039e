// nullscope attention: raw and effective attention of every head, or of one.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "analysis/effective_attention.h"
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "io/trace_bundle.h"
#include "model/forward.h"

namespace nullscope::app {
namespace {

using analysis::EffectiveAttention;
using analysis::EffectiveVariant;

constexpr EffectiveVariant kAllVariants[] = {EffectiveVariant::kValue, EffectiveVariant::kValueNoBias,
                                             EffectiveVariant::kValueAndOnes, EffectiveVariant::kProjectedValue,
                                             EffectiveVariant::kProjectedValueNoBias};

struct Flags {
  ModelFlags model;
  TextFlags text;
  OutputFlags output;
  std::string variant = "value";
  std::optional<double> cut;
  std::optional<int> layer, head;
};

// Results of one variant for the chosen heads, [layers][heads].
using HeadGrid = std::vector<std::vector<EffectiveAttention>>;

// One number, vector or map of each head as a tensor [layers, heads, ...].
template <class S, class Get>
AnyTensor gathered(const HeadGrid& grid, Shape inner, Get get) {
  Shape shape = {static_cast<int64_t>(grid.size()), static_cast<int64_t>(grid.front().size())};
  shape.insert(shape.end(), inner.begin(), inner.end());
  Tensor<S> out(std::move(shape));
  S* to = out.data();
  for (const auto& row : grid)
    for (const EffectiveAttention& head : row) to = get(head, to);
  return AnyTensor::from(out);
}

TensorBundle variant_bundle(const HeadGrid& grid, const Tensor<float>& probs, const std::string& stem) {
  const EffectiveAttention& first = grid.front().front();
  const Shape& map = first.effective.shape();
  const auto number = [](auto field) {
    return [field](const EffectiveAttention& head, double* to) { *to = head.*field; return to + 1; };
  };
  const auto list = [](auto field) {
    return [field](const EffectiveAttention& head, double* to) { return std::copy((head.*field).begin(), (head.*field).end(), to); };
  };
  TensorBundle bundle;
  bundle.tensors.emplace(stem, gathered<double>(grid, map, [](const EffectiveAttention& head, double* to) {
    return std::copy(head.effective.data(), head.effective.data() + head.effective.size(), to);
  }));
  const float* raw = probs.data();
  bundle.tensors.emplace(stem + ".null", gathered<double>(grid, map, [&raw](const EffectiveAttention& head, double* to) {
    return std::transform(head.effective.data(), head.effective.data() + head.effective.size(), to,
                          [&raw](double effective) { return static_cast<double>(*raw++) - effective; });
  }));
  bundle.tensors.emplace(stem + ".rank", gathered<int64_t>(grid, {}, [](const EffectiveAttention& head, int64_t* to) {
    *to = head.rank;
    return to + 1;
  }));
  bundle.tensors.emplace(stem + ".singular_values", gathered<double>(grid, {static_cast<int64_t>(first.singular_values.size())},
                                                                     list(&EffectiveAttention::singular_values)));
  bundle.tensors.emplace(stem + ".row_sum", gathered<double>(grid, {map[0]}, list(&EffectiveAttention::row_sum)));
  bundle.tensors.emplace(stem + ".output_residual", gathered<double>(grid, {}, number(&EffectiveAttention::output_residual)));
  bundle.tensors.emplace(stem + ".output_residual_max", gathered<double>(grid, {}, number(&EffectiveAttention::output_residual_max)));
  bundle.tensors.emplace(stem + ".pearson", gathered<double>(grid, {}, number(&EffectiveAttention::pearson)));
  return bundle;
}

// attention_probs of the chosen heads, [layers, heads, T, T].
Tensor<float> chosen_probs(const model::ForwardTrace<float>& trace, const std::vector<int>& layers, const std::vector<int>& heads) {
  const int64_t tokens = trace.tokens();
  Tensor<float> out({static_cast<int64_t>(layers.size()), static_cast<int64_t>(heads.size()), tokens, tokens});
  float* to = out.data();
  for (const int layer : layers)
    for (const int head : heads) {
      const Tensor<float>& probs = trace.layers[static_cast<size_t>(layer)].attention_probs;
      to = std::copy(probs.block(head), probs.block(head) + probs.block_size(), to);
    }
  return out;
}

std::vector<int> chosen(std::optional<int> one, int count) {
  std::vector<int> all;
  if (one) return {*one};
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

nlohmann::ordered_json head_summary(const EffectiveAttention& head) {
  const auto [low, high] = std::minmax_element(head.row_sum.begin(), head.row_sum.end());
  return {{"layer", head.head.layer}, {"head", head.head.head}, {"rank", head.rank},
          {"null_dimension", head.null_dimension()}, {"pearson", json_number(head.pearson)},
          {"output_residual_max", json_number(head.output_residual_max)},
          {"row_sum_min", *low}, {"row_sum_max", *high}};
}

void print_grid(const HeadGrid& grid, const std::string& variant) {
  std::printf("%s\n%5s %4s %5s %5s %9s %11s %17s\n", variant.c_str(), "layer", "head", "rank", "null", "Pearson", "residual", "row sums");
  for (const auto& row : grid)
    for (const EffectiveAttention& head : row) {
      const auto [low, high] = std::minmax_element(head.row_sum.begin(), head.row_sum.end());
      std::printf("%5d %4d %5d %5d %9.4f %11.1e %8.4f %8.4f\n", head.head.layer, head.head.head, head.rank,
                  head.null_dimension(), head.pearson, head.output_residual_max, *low, *high);
    }
}

Result<HeadGrid> compute(const model::ForwardTrace<float>& trace, const model::BertWeights& weights,
                         const std::vector<int>& layers, const std::vector<int>& heads, EffectiveVariant variant,
                         std::optional<double> cut) {
  HeadGrid grid;
  for (const int layer : layers) {
    grid.emplace_back();
    for (const int head : heads) {
      auto result = analysis::effective_attention(trace, weights, {layer, head}, {variant, cut});
      if (!result) return std::unexpected(result.error());
      grid.back().push_back(*std::move(result));
    }
  }
  return grid;
}

int run(const Flags& flags) {
  const auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  const model::BertWeights& weights = loaded->weights;
  if (flags.layer && *flags.layer >= weights.config.layers)
    return report({ErrorCode::kBadIndex, "--layer: the model has layers 0 to " + std::to_string(weights.config.layers - 1)});
  if (flags.head && *flags.head >= weights.config.heads)
    return report({ErrorCode::kBadIndex, "--head: the model has heads 0 to " + std::to_string(weights.config.heads - 1)});
  const auto items = read_items(flags.text, loaded->tokenizer ? &*loaded->tokenizer : nullptr, weights.config.positions);
  if (!items) return report(items.error());
  const std::vector<int> layers = chosen(flags.layer, weights.config.layers);
  const std::vector<int> heads = chosen(flags.head, weights.config.heads);
  std::vector<EffectiveVariant> variants(std::begin(kAllVariants), std::end(kAllVariants));
  if (flags.variant != "all") variants = {*analysis::effective_variant_from_name(flags.variant)};

  const nn::Parallel parallel(flags.model.threads);
  TensorBundle bundle;
  for (size_t i = 0; i < items->size(); ++i) {
    const Item& item = (*items)[i];
    const std::string prefix = items->size() == 1 ? "" : std::to_string(i) + "/";
    const auto trace = model::forward<float>(weights, item.input, {}, model::TraceDetail::attention_views(), &parallel);
    if (!trace) return report(trace.error());
    const Tensor<float> probs = chosen_probs(*trace, layers, heads);
    if (!flags.output.out.empty()) {
      if (item.encoding) merge(bundle, io::encoding_bundle(*item.encoding), prefix);
      bundle.tensors.insert_or_assign(prefix + "attention_probs", AnyTensor::from(probs));
    }
    nlohmann::ordered_json summary = {{"tokens", trace->tokens()}};
    for (const EffectiveVariant variant : variants) {
      const std::string name(analysis::effective_variant_name(variant));
      const auto grid = compute(*trace, weights, layers, heads, variant, flags.cut);
      if (!grid) return report(grid.error());
      for (const auto& row : *grid)
        for (const EffectiveAttention& head : row) summary[name].push_back(head_summary(head));
      if (!flags.output.json) print_grid(*grid, name);
      if (!flags.output.out.empty()) merge(bundle, variant_bundle(*grid, probs, "effective_attention." + name), prefix);
    }
    if (flags.output.json) print_json(summary);
  }
  return finish(flags.output, bundle);
}

}  // namespace

void add_attention(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("attention", "Raw and effective attention, null part, rank, correlations");
  add_model_flags(*command, flags->model);
  add_text_flags(*command, flags->text, true);
  std::vector<std::string> names = {"all"};
  for (const EffectiveVariant variant : kAllVariants) names.emplace_back(analysis::effective_variant_name(variant));
  command->add_option("--variant", flags->variant, "the matrix whose column space counts, or all")
      ->capture_default_str()
      ->check(CLI::IsMember(names));
  command->add_option("--cut", flags->cut, "singular values at or below this share of the largest count as zero")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--layer", flags->layer, "only this layer, from 0")->check(CLI::NonNegativeNumber);
  command->add_option("--head", flags->head, "only this head, from 0")->check(CLI::NonNegativeNumber);
  add_output_flags(*command, flags->output);
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
