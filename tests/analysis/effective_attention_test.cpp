// Identities of effective attention over random heads, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "analysis/random_head.h"
#include "support/tolerances.h"

namespace nullscope::test {
namespace {

using analysis::EffectiveAttention, analysis::EffectiveVariant;

constexpr EffectiveVariant kAll[] = {EffectiveVariant::kValue, EffectiveVariant::kValueNoBias, EffectiveVariant::kValueAndOnes,
                                     EffectiveVariant::kProjectedValue, EffectiveVariant::kProjectedValueNoBias};

EffectiveAttention effective(const RandomHeads& made, int head, EffectiveVariant variant) {
  auto result = analysis::effective_attention(made.trace, made.weights, {0, head}, {variant, {}});
  REQUIRE_MESSAGE(result, result.error().message);
  return *std::move(result);
}

double squares(const double* x, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += x[i] * x[i];
  return sum;
}

void check_identities(const RandomHeads& made, int head, EffectiveVariant variant) {
  const int64_t tokens = made.trace.tokens(), count = tokens * tokens;
  CAPTURE(tokens);
  CAPTURE(analysis::effective_variant_name(variant));
  const double* probs = made.trace.layers[0].attention_probs.block(head);
  const EffectiveAttention result = effective(made, head, variant);
  const Tensor<double> m = variant_matrix(made, head, variant);

  Tensor<double> null({tokens, tokens});
  for (int64_t i = 0; i < count; ++i) null.data()[i] = probs[i] - result.effective.data()[i];
  const double output = largest(product(probs, tokens, m));
  CHECK(largest(product(null.data(), tokens, m)) <= kIdentity * output);  // A_eff M = A M
  CHECK(result.output_residual_max <= kIdentity);
  CHECK(result.output_residual <= kIdentity);
  const double parts = squares(result.effective.data(), count) + squares(null.data(), count);
  CHECK(std::abs(parts / squares(probs, count) - 1) <= kIdentity);  // Pythagoras
  CHECK(result.null_dimension() == tokens - result.rank);
  if (result.rank == tokens) CHECK(largest(null) <= kSameMap);
  if (result.rank < tokens) CHECK(largest(null) > kSameMap);
  for (int64_t q = 0; q < tokens; ++q) {
    double sum = 0;
    for (int64_t k = 0; k < tokens; ++k) sum += result.effective(q, k);
    CHECK(std::abs(sum - result.row_sum[static_cast<size_t>(q)]) <= kIdentity);
    if (variant == EffectiveVariant::kValueAndOnes) CHECK(std::abs(sum - 1) <= kIdentity);
  }

  RandomHeads again = made;  // A_eff of A_eff is A_eff
  std::copy_n(result.effective.data(), count, again.trace.layers[0].attention_probs.block(head));
  const EffectiveAttention twice = effective(again, head, variant);
  double moved = 0;
  for (int64_t i = 0; i < count; ++i) moved = std::max(moved, std::abs(twice.effective.data()[i] - result.effective.data()[i]));
  CHECK(moved <= kIdentity);
}

TEST_CASE("identities for 2 to 200 tokens, every variant") {
  for (const int tokens : {2, 3, 7, 8, 9, 10, 40, 63, 64, 65, 66, 110, 200}) {
    const RandomHeads small = random_heads(tokens, 3, 8, static_cast<uint64_t>(tokens));
    for (const EffectiveVariant variant : kAll) check_identities(small, tokens % 3, variant);
    if (tokens < 63) continue;
    const RandomHeads large = random_heads(tokens, 1, 64, static_cast<uint64_t>(tokens) + 1000);
    for (const EffectiveVariant variant : kAll) check_identities(large, 0, variant);
  }
}

TEST_CASE("the rank is that of the variant's matrix") {
  const RandomHeads made = random_heads(40, 2, 8, 1);
  for (const auto& [variant, rank] : {std::pair(EffectiveVariant::kValue, 8), std::pair(EffectiveVariant::kValueNoBias, 8),
                                      std::pair(EffectiveVariant::kValueAndOnes, 9), std::pair(EffectiveVariant::kProjectedValue, 8),
                                      std::pair(EffectiveVariant::kProjectedValueNoBias, 8)})
    CHECK(effective(made, 1, variant).rank == rank);
  RandomHeads deficient = made;  // channel 1 repeats channel 0, all others are zero
  for (int64_t t = 0; t < 40; ++t)
    for (int64_t d = 1; d < 8; ++d) deficient.trace.layers[0].value(t, 1, d) = d == 1 ? deficient.trace.layers[0].value(t, 1, 0) : 0;
  CHECK(effective(deficient, 1, EffectiveVariant::kValue).rank == 1);
  CHECK(effective(deficient, 1, EffectiveVariant::kValueAndOnes).rank == 2);
  check_identities(deficient, 1, EffectiveVariant::kValue);
}

TEST_CASE("without any value the output depends on nothing") {
  RandomHeads made = random_heads(6, 1, 4, 2);
  made.trace.layers[0].value = Tensor<double>({6, 1, 4});
  const EffectiveAttention result = effective(made, 0, EffectiveVariant::kValue);
  CHECK(result.rank == 0);
  CHECK(result.null_dimension() == 6);
  CHECK(largest(result.effective) == 0);
  CHECK(result.output_residual_max == 0);
  CHECK(std::isnan(result.pearson));
}

TEST_CASE("the cut decides what counts") {
  const RandomHeads made = random_heads(30, 1, 8, 3);
  const EffectiveAttention all = effective(made, 0, EffectiveVariant::kValue);
  REQUIRE(all.singular_values.size() == 8);
  CHECK(std::is_sorted(all.singular_values.rbegin(), all.singular_values.rend()));
  const double between = (all.singular_values[4] + all.singular_values[5]) / 2 / all.singular_values[0];
  const auto five = analysis::effective_attention(made.trace, made.weights, {0, 0}, {EffectiveVariant::kValue, between});
  REQUIRE(five);
  CHECK(five->rank == 5);
  CHECK(five->cut == between);
  CHECK(five->output_residual_max > kIdentity);  // the trust number tells that a part of M was dropped
}

TEST_CASE("a single token attends to itself") {
  const RandomHeads made = random_heads(1, 1, 4, 4);
  const EffectiveAttention result = effective(made, 0, EffectiveVariant::kValue);
  CHECK(result.rank == 1);
  CHECK(std::abs(result.effective(0, 0) - 1) <= kSameMap);
}

TEST_CASE("names of variants go both ways") {
  for (const EffectiveVariant variant : kAll)
    CHECK(analysis::effective_variant_from_name(analysis::effective_variant_name(variant)) == variant);
  CHECK(!analysis::effective_variant_from_name("values"));
}

TEST_CASE("what is refused") {
  const RandomHeads made = random_heads(5, 2, 4, 5);
  const auto refusal = [&](HeadIndex head, analysis::EffectiveAttentionOptions options, const model::ForwardTrace<double>& trace) {
    const auto result = analysis::effective_attention(trace, made.weights, head, options);
    REQUIRE(!result);
    return result.error();
  };
  CHECK(refusal({1, 0}, {}, made.trace).message == "layer 1 is outside 0..0");
  CHECK(refusal({0, 2}, {}, made.trace).message == "head 2 is outside 0..1");
  CHECK(refusal({0, -1}, {}, made.trace).code == ErrorCode::kBadIndex);
  for (const double cut : {-.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
    CHECK(refusal({0, 0}, {EffectiveVariant::kValue, cut}, made.trace).code == ErrorCode::kBadOption);
  model::ForwardTrace<double> bare = made.trace;
  bare.layers[0].value = Tensor<double>();
  CHECK(refusal({0, 0}, {}, bare).code == ErrorCode::kMissing);
}

}  // namespace
}  // namespace nullscope::test
