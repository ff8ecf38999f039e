// The forward pass of BERT (post-LayerNorm), one block after another:
//
//   hidden_states[0]   = LayerNorm(word + position + segment)
//   query, key, value  = W hidden_states[l] + b                  split into H heads of D
//   attention_probs    = softmax over keys of query.key / sqrt(D)
//   attention_output   = LayerNorm(hidden_states[l] + W_O (attention_probs value) + b_O)
//   hidden_states[l+1] = LayerNorm(attention_output + W_2 f(W_1 attention_output + b_1) + b_2)
//   mlm_logits         = W_E LayerNorm(f(W hidden_states[L] + b)) + b
//   pooled_output      = tanh(W hidden_states[L][0] + b); nsp and class logits are linear in it
//
// Devlin et al., "BERT", 2019; names as Hugging Face's (model/sites.h).
#pragma once

#include <bitset>
#include <memory>
#include <string>

#include "core/result.h"
#include "model/forward_trace.h"
#include "model/intervention.h"
#include "model/weights.h"
#include "nn/parallel.h"

namespace nullscope::model {

// Which sites the trace keeps; what is left out costs no memory.
struct TraceDetail {
  std::bitset<kSiteCount> keep;
  // Rows of mlm_logits to compute, the others stay 0; empty for all. V is large: one row
  // costs as much as 1/300 of the rest of the pass at 128 tokens.
  std::vector<int> mlm_positions;

  bool keeps(Site site) const { return keep[static_cast<size_t>(site)]; }
  static TraceDetail everything();
  static TraceDetail last_hidden_state();  // hidden_states[L] only
  static TraceDetail attention_views();    // hidden_states, value, attention_probs, context, heads
};

// Checks ids, segments, mask lengths and ranges against the weights' tables: kBadIndex
// names the position and the limit, kTooLarge more tokens than positions, kMissing no tokens.
Status check_input(const BertConfig& config, const ModelInput& input);

// A pass that runs a bit at a time: embeddings, then the blocks, then the heads.
// One step is at most a few tens of milliseconds at 128 tokens on one thread.
template <class S>
class ForwardPass {
 public:
  // `weights` must outlive the pass; layers and heads may still be arriving.
  static Result<ForwardPass> start(const BertWeights& weights, ModelInput input, Interventions interventions,
                                   TraceDetail detail, const nn::Parallel* parallel = nullptr);

  bool finished() const;
  // Layers whose trace is complete; `trace()` may be read up to there.
  int layers_done() const;
  // False while the next step waits for a layer, or for heads, that have not arrived.
  bool can_step() const;
  // What it waits for then: "the embeddings", "layer 3", "the heads".
  std::string waiting_for() const;
  // Computes the next piece. kNotFinite names site and layer if numbers left the finite range.
  Status step();

  const ForwardTrace<S>& trace() const;
  ForwardTrace<S> take() &&;

  ForwardPass(ForwardPass&&) noexcept;
  ForwardPass& operator=(ForwardPass&&) noexcept;
  ~ForwardPass();

 private:
  struct State;
  explicit ForwardPass(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// All steps at once.
template <class S>
Result<ForwardTrace<S>> forward(const BertWeights& weights, ModelInput input, const Interventions& interventions = {},
                                const TraceDetail& detail = TraceDetail::everything(),
                                const nn::Parallel* parallel = nullptr);

}  // namespace nullscope::model
