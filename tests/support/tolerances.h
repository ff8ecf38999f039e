// Every tolerance of the tests, with its reason.
#pragma once

#include <string_view>

namespace nullscope::test {

// tests/golden in double arithmetic, relative to the largest number of a tensor: both sides
// round at 1e-16, and three layers multiply that by a few thousand at most.
inline constexpr double kGoldenDouble = 1e-12;

// tests/golden with float32 arithmetic, relative to the largest number of a tensor: ten times
// the error that the independent implementation has in float32 itself, on a 1-2-5 scale (the
// table in golden/README of the data's authors). 0: not stored for that model.
struct GoldenTolerance {
  std::string_view tensor;
  double toy, base;
};
inline constexpr GoldenTolerance kGoldenFloat[] = {
    {"attention_output", 1e-05, 5e-06},
    {"attention_probs", 1e-05, 2e-05},
    {"attention_residual", 5e-06, 5e-06},
    {"attention_scores", 5e-06, 5e-06},
    {"class_logits", 5e-06, 0},
    {"context", 1e-05, 1e-05},
    {"embedding_sum", 5e-06, 5e-06},
    {"ffn_output", 5e-06, 5e-06},
    {"hidden_states", 5e-06, 5e-06},
    {"intermediate", 5e-06, 5e-06},
    {"intermediate_pre", 5e-06, 5e-06},
    {"key", 5e-06, 5e-06},
    {"mlm.top10_probabilities", 0, 2e-05},
    {"mlm_logits", 1e-05, 1e-05},
    {"mlm_transform", 1e-05, 0},
    {"mlm_transform_act", 1e-05, 0},
    {"mlm_transform_pre", 1e-05, 0},
    {"nsp_logits", 5e-05, 0},
    {"output_residual", 5e-06, 5e-06},
    {"pooled_output", 1e-05, 2e-05},
    {"position_embedding", 5e-06, 0},
    {"query", 5e-06, 5e-06},
    {"segment_embedding", 5e-06, 0},
    {"self_output", 1e-05, 2e-05},
    {"target_values", 0, 5e-06},
    {"value", 5e-06, 1e-05},
    {"word_embedding", 5e-06, 0},
    {"effective_attention", 2e-05, 2e-05},
    {"effective_attention.pearson", 5e-06, 5e-06},
    {"effective_attention.row_sum", 5e-06, 5e-05},
    {"effective_attention.singular_values", 5e-06, 5e-06},
    {"token_identity.distance", 5e-06, 1e-05},
    {"token_identity.rate", 5e-06, 5e-06},
};
// "zero in theory" of the same table, absolute.
inline constexpr double kGoldenZero = 5e-6;

// Identities of effective attention in double for up to 200 tokens: rounding of sums of 200 terms,
// a hundred times over.
inline constexpr double kIdentity = 1e-12;
// A_eff against A where they are the same map: a projection by an orthonormal basis is exact to a
// few units in the last place.
inline constexpr double kSameMap = 1e-13;
// max|A V - A_eff V| / max|A V| of a float32 trace, as promised to users.
inline constexpr double kOutputResidual = 1e-5;

// Published with three decimals.
inline constexpr double kThreeDecimals = 5e-4;
// Published probabilities have four decimals.
inline constexpr double kPublishedProbability = 5e-5;
// fp16 storage moves the logits of b1 by up to .03.
inline constexpr double kHalfProbability = .03;

// tests/cases/weights: results of a two-layer float32 model against float64, as its README says.
inline constexpr double kCaseAbsolute = 5e-5;

// Hostile text of a million characters: well under a second when the cost is linear, minutes when
// it is quadratic; the rest is room for sanitizers, WebAssembly and a busy machine.
inline constexpr double kHostileTextSeconds = 20;

// Kernels of nn/ against the loops of naive_nn.h.
// A sum of n products, in units of eps sqrt(n) sum|x w|: n roundings of partial sums, each far below
// the sum of magnitudes, add up like a random walk; two more roundings where a weight is narrowed.
inline constexpr double kProductError = 2;
// Float activations, units in the last place: exponential, polynomial, quotient and product round a
// few times each. The exponent inside a sigmoid adds its own error times its size (see the test).
inline constexpr double kActivationUnits = 8;
// Absolute: results below the normal numbers (1.2e-38 times x up to 30) may become zero.
inline constexpr double kActivationZero = 4e-37;
inline constexpr double kDoubleActivation = 4e-16;
// Units in the last place of (|y| + 1): one rounding, of which half a unit is the exact result's.
inline constexpr double kLayerNormUnits = 4;
// Units of eps sqrt(D) max|score|, and what follows from that for probabilities and context.
inline constexpr double kAttentionUnits = 4;

// Messages keep maps as float32, relative to the largest: half a unit in the last place.
inline constexpr double kFloatStorage = 1e-7;
// Snapshots keep maps as half floats: 11 bits, so 2^-12 of the number, on a 1-2-5 scale.
inline constexpr double kHalfStorage = 5e-4;
// Checksums estimate the relative rms error of a field to 18 %: float32 arithmetic gives some 1e-6, fp16
// weights 1e-3 at most. The benchmark harness allows 1e-4 and 2e-3.
inline constexpr double kChecksumFloat = 1e-5;
inline constexpr double kChecksumHalf = 2e-3;

// Colour tables: how far the OKLab distance over 16 entries may depart from its mean. Bytes round each
// end by up to half a step of 255, of a distance of some 10 steps; the hue turns a little inside it.
inline constexpr double kColorUnevenness = 0.12;

}  // namespace nullscope::test
