// Effective attention: the part of an attention map that its head's output can depend on.
//
//   A      attention probabilities of one head                    [T_q, T_k]
//   V      the head's value vectors, bias included                [T_k, D]
//   M      the matrix of the variant, V by default                [T_k, m]
//   Q      orthonormal basis of the columns of M                  [T_k, rank M]
//   A_eff  = A Q Q^T                                              [T_q, T_k]
//
// A M = A_eff M. What A_eff drops, A_null = A - A_eff, is the projection of each row of A
// on the left null space of M, which the head's output cannot see. rank V <= D, so that
// space is never empty once T > D (64 in BERT-Base); for T <= rank V expect A_eff == A.
// Entries of A_eff may be negative and its rows need not sum to 1, except with
// kValueAndOnes, which keeps row sums.
//
// Brunner et al., "On Identifiability in Transformers", ICLR 2020, section 3; the paper's
// T = E W^V H is our projected value without bias (T always counts tokens here). V W_O,h has
// the column space of V when W_O,h has full row rank, so V is the default. The bias stays in
// by default, as only then A_eff V = A V holds for what the network computes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"
#include "model/forward_trace.h"
#include "model/weights.h"

namespace nullscope::analysis {

enum class EffectiveVariant {
  kValue,                 // "value"                    M = V
  kValueNoBias,           // "value_no_bias"            M = V - 1 b_V^T
  kValueAndOnes,          // "value_and_ones"           M = [V, 1]
  kProjectedValue,        // "projected_value"          M = V W_O,h
  kProjectedValueNoBias,  // "projected_value_no_bias"  M = (V - 1 b_V^T) W_O,h
};
std::string_view effective_variant_name(EffectiveVariant variant);
std::optional<EffectiveVariant> effective_variant_from_name(std::string_view name);

struct EffectiveAttentionOptions {
  EffectiveVariant variant = EffectiveVariant::kValue;
  // Singular values at or below cut x the largest count as zero. Unset: max(T, D) eps, with
  // eps that of the trace's numbers (float 1.2e-7, double 2.2e-16), as numpy and `golden/` do.
  std::optional<double> cut;
};

struct EffectiveAttention {
  HeadIndex head;
  Tensor<double> effective;        // [T_q, T_k] A_eff, signed
  std::vector<double> singular_values;  // of M, largest first; min(T, columns) of them, D+1 at most
  int rank = 0;                    // of M, after the cut
  double cut = 0;                  // the relative cut that was used

  // How far A_eff is from keeping its promise: max|A M - A_eff M| / max|A M|, and the
  // same by Frobenius norms. Rounding-sized when all is well; the view shows it.
  double output_residual_max = 0;
  double output_residual = 0;
  std::vector<double> row_sum;     // [T_q] of A_eff
  double pearson = 0;              // of A and A_eff over all entries; nan when either is constant

  // Dimensions of A's rows that the output cannot see; 0 means A_eff == A.
  int null_dimension() const { return static_cast<int>(effective.dim(1)) - rank; }
};

// Pure; reads the trace's attention_probs and value (kMissing when they were not kept) and,
// for variants without bias or with W_O, the weights. O(T D^2 + T^2 D). kBadIndex: no such head.
template <class S>
Result<EffectiveAttention> effective_attention(const model::ForwardTrace<S>& trace, const model::BertWeights& weights,
                                               HeadIndex head, const EffectiveAttentionOptions& options = {});

}  // namespace nullscope::analysis
