// Effective attention and expansion rates of BERT-Base.
#include <array>

#include "analysis/expansion_rate.h"
#include "analysis/golden_variant.h"
#include "model/forward.h"
#include "support/model_paths.h"

namespace nullscope::test {
namespace {

using analysis::EffectiveVariant;

constexpr int kSep = 102;

model::ForwardTrace<float> run(Storage storage, const model::ModelInput& input) {
  auto trace = model::forward<float>(base_weights(storage), input, {}, model::TraceDetail::attention_views());
  REQUIRE_MESSAGE(trace, trace.error().message);
  return *std::move(trace);
}

// Mean over queries of the attention to all [SEP] together, [L, H].
Tensor<double> mean_to_sep(const Tensor<double>& maps, const std::vector<int>& ids) {
  Tensor<double> out({maps.dim(0), maps.dim(1)});
  const int64_t tokens = maps.dim(2);
  for (int64_t head = 0; head < out.size(); ++head)
    for (int64_t i = 0; i < tokens * tokens; ++i)
      if (ids[static_cast<size_t>(i % tokens)] == kSep)
        out.data()[head] += maps.data()[head * tokens * tokens + i] / static_cast<double>(tokens);
  return out;
}

Tensor<double> layer_mean(const Tensor<double>& values) {
  Tensor<double> out({values.dim(0)});
  for (int64_t i = 0; i < values.size(); ++i) out.data()[i / values.dim(1)] += values.data()[i] / static_cast<double>(values.dim(1));
  return out;
}

// The maps of the heads that the case lists, [n, T, T].
Tensor<double> chosen_heads(const Tensor<double>& maps, const std::vector<std::array<int, 2>>& heads) {
  Tensor<double> out({static_cast<int64_t>(heads.size()), maps.dim(2), maps.dim(3)});
  for (size_t i = 0; i < heads.size(); ++i)
    std::copy_n(maps.data() + (heads[i][0] * maps.dim(1) + heads[i][1]) * out.block_size(), out.block_size(),
                out.block(static_cast<int64_t>(i)));
  return out;
}

void check_text(const std::string& text) {
  const nlohmann::json input = read_json("golden/base/" + text + "/input.json");
  const TensorBundle expected = golden("base/" + text + "/maps");
  const model::ForwardTrace<float> trace = run(Storage::kF32, golden_input("base/" + text));
  for (const EffectiveVariant variant : kVariants) {
    const std::string name = "effective_attention." + std::string(analysis::effective_variant_name(variant));
    if (expected.find(name + ".rank") == nullptr) continue;
    const VariantNumbers found = variant_numbers(trace, base_weights(Storage::kF32), variant);
    const std::pair<const char*, Tensor<double>> parts[] = {
        {".heads", chosen_heads(found.effective, input["map_heads"])},
        {".mean_to_sep", mean_to_sep(found.effective, trace.input.ids)},
        {".pearson", found.pearson},
        {".pearson_layer_mean", layer_mean(found.pearson)},
        {".row_sum", found.row_sum},
        {".singular_values", found.singular_values}};
    check_equal(text + " " + name + ".rank", found.rank, integers(expected, name + ".rank"));
    check_absolute(text + " " + name + ".output_residual", found.output_residual, numbers(expected, name + ".output_residual"), kGoldenZero);
    for (const auto& [part, tensor] : parts) {
      if (expected.find(name + part) == nullptr) continue;
      std::string site = "effective_attention";
      if (const std::string_view view = part; view != ".heads" && view != ".mean_to_sep") site += view.substr(0, view == ".pearson_layer_mean" ? 8 : view.size());
      check_close(text + " " + name + part, tensor, numbers(expected, name + part), float_tolerance(site, GoldenModel::kBase));
    }
  }
}

TEST_CASE("BERT-Base: effective attention of b1 to b4") {
  for (const char* text : {"b1", "b2", "b3", "b4"}) check_text(text);
}

TEST_CASE("BERT-Base: every head of 110 tokens keeps its output") {
  model::ModelInput input = golden_input("base/b4");
  input.ids.insert(input.ids.begin() + 1, {1996, 2214, 2450, 1010});
  input.segments.assign(input.ids.size(), 0);
  REQUIRE(input.tokens() == 110);
  for (const Storage storage : {Storage::kF32, Storage::kF16}) {
    const model::ForwardTrace<float> trace = run(storage, input);
    for (const EffectiveVariant variant : kVariants) {
      const VariantNumbers found = variant_numbers(trace, base_weights(storage), variant);
      for (const double residual : found.output_residual_max.values()) CHECK(residual <= kOutputResidual);
      for (const int64_t rank : found.rank.values()) CHECK(rank == (variant == EffectiveVariant::kValueAndOnes ? 65 : 64));
    }
  }
}

TEST_CASE("BERT-Base: effective attention is attention while T <= rank, and not beyond") {
  model::ModelInput input = golden_input("base/b4");
  input.segments.clear();
  for (const int tokens : {65, 64, 63, 20}) {
    input.ids.resize(static_cast<size_t>(tokens));
    const VariantNumbers found = variant_numbers(run(Storage::kF16, input), base_weights(Storage::kF16), EffectiveVariant::kValue);
    int same = 0;
    for (int64_t head = 0; head < 144; ++head) {
      double most = 0;
      for (int64_t i = 0; i < tokens * tokens; ++i)
        most = std::max(most, std::abs(found.null.data()[head * tokens * tokens + i]));
      CHECK((found.rank.data()[head] == tokens) == (most <= kSameMap));
      same += most <= kSameMap;
    }
    // At 64 tokens V is square, and the smallest of 64 singular values can fall below the cut.
    if (tokens < 64) CHECK(same == 144);
    if (tokens == 64) CHECK(same >= 140);
    if (tokens == 65) CHECK(same == 0);
  }
}

TEST_CASE("BERT-Base: expansion rates, the right map and the published script's") {
  constexpr double kPublished[] = {.901, .740, .632, .679, .911, .989, .919, .905, .948, .913, .932, 1.051};
  constexpr double kAffine[] = {.900, .739, .629, .678, .909, .988, .917, .902, .944, .911, .931, 1.051};
  const auto rates = analysis::expansion_rates(base_weights(Storage::kF32));
  REQUIRE(rates);
  REQUIRE(rates->size() == 12);
  Tensor<double> affine({12});
  for (size_t layer = 0; layer < 12; ++layer) {
    affine.data()[layer] = (*rates)[layer].affine;
    CHECK(std::abs((*rates)[layer].affine - kAffine[layer]) <= kThreeDecimals);
    CHECK(std::abs((*rates)[layer].published_script - kPublished[layer]) <= kThreeDecimals);
  }
  check_close("expansion_rate", affine, numbers(golden("base/weights"), "expansion_rate"), kGoldenDouble);
}

}  // namespace
}  // namespace nullscope::test
