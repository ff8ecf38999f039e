// Effective attention, all variants, and expansion rates of the toy model.
#include "analysis/expansion_rate.h"
#include "analysis/golden_variant.h"
#include "support/toy.h"

namespace nullscope::test {
namespace {

// `fixed` > 0 is the tolerance of everything, else float32's of each tensor.
template <class S>
void check_variant(const std::string& text, analysis::EffectiveVariant variant, double fixed) {
  const TensorBundle expected = golden("toy/" + text + "/maps");
  const VariantNumbers found = variant_numbers(toy_trace<S>(text), toy_weights(), variant);
  const std::string name = "effective_attention." + std::string(analysis::effective_variant_name(variant));
  const auto tolerance = [&](const char* tensor) {
    return fixed > 0 ? fixed : float_tolerance(std::string("effective_attention") + tensor, GoldenModel::kToy);
  };
  check_equal(text + name + ".rank", found.rank, integers(expected, name + ".rank"));
  check_close(text + " " + name, found.effective, numbers(expected, name), tolerance(""));
  for (const auto& [part, tensor] : {std::pair(".singular_values", &found.singular_values),
                                     std::pair(".row_sum", &found.row_sum), std::pair(".pearson", &found.pearson)})
    check_close(text + " " + name + part, *tensor, numbers(expected, name + part), tolerance(part));
  // Zero in theory: the residual always, the null part as long as T <= rank.
  const double zero = fixed > 0 ? fixed : kGoldenZero;
  check_absolute(text + " " + name + ".null", found.null, numbers(expected, name + ".null"), fixed > 0 ? fixed : tolerance(""));
  check_absolute(text + " " + name + ".output_residual", found.output_residual, numbers(expected, name + ".output_residual"), zero);
}

TEST_CASE("toy: effective attention in double, all variants") {
  for (const char* text : kToyTexts)
    for (const auto variant : kVariants) check_variant<double>(text, variant, kGoldenDouble);
}

TEST_CASE("toy: effective attention of a float32 trace, all variants") {
  for (const char* text : kToyTexts)
    for (const auto variant : kVariants) check_variant<float>(text, variant, 0);
}

TEST_CASE("toy: expansion rates") {
  const auto rates = analysis::expansion_rates(toy_weights());
  REQUIRE(rates);
  Tensor<double> found({static_cast<int64_t>(rates->size())});
  for (size_t layer = 0; layer < rates->size(); ++layer) found.data()[layer] = (*rates)[layer].affine;
  check_close("expansion_rate", found, numbers(golden("toy/short/maps"), "expansion_rate"), kGoldenDouble);
}

}  // namespace
}  // namespace nullscope::test
