// ForwardTrace: everything one forward pass computed, immutable once finished.
//
// S is float, or double in tests. Tensors that `TraceDetail` left out are empty.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor.h"
#include "model/config.h"
#include "model/sites.h"

namespace nullscope::model {

// What the model reads. Made from a text::Encoding or by hand.
struct ModelInput {
  std::vector<int> ids;       // [T] token ids
  std::vector<int> segments;  // [T], or empty for all zero
  std::vector<int> mask;      // [T] 1 = real, 0 = padding (never attended to), or empty for all 1

  int tokens() const { return static_cast<int>(ids.size()); }
};

template <class S>
struct LayerTrace {
  Tensor<S> query, key, value;   // [T, H, D] biases included
  Tensor<S> attention_scores;    // [H, T_q, T_k] q.k / sqrt(D)
  Tensor<S> attention_probs;     // [H, T_q, T_k] rows sum to 1
  Tensor<S> context;             // [T, H, D] attention_probs value
  Tensor<S> self_output;         // [T, C]
  Tensor<S> attention_residual;  // [T, C] hidden_states[layer] + self_output
  Tensor<S> attention_output;    // [T, C] LayerNorm(attention_residual)
  Tensor<S> intermediate_pre;    // [T, F]
  Tensor<S> intermediate;        // [T, F]
  Tensor<S> ffn_output;          // [T, C]
  Tensor<S> output_residual;     // [T, C] attention_output + ffn_output
};

template <class S>
struct ForwardTrace {
  BertConfig config;
  ModelInput input;
  Tensor<S> word_embedding, position_embedding, segment_embedding;  // [T, C]
  Tensor<S> embedding_sum;                                          // [T, C]
  std::vector<Tensor<S>> hidden_states;                             // L+1 of [T, C]
  std::vector<LayerTrace<S>> layers;                                // L
  Tensor<S> mlm_transform_pre, mlm_transform_act, mlm_transform;    // [T, C]
  Tensor<S> mlm_logits;                                             // [T, V]
  Tensor<S> pooled_output;                                          // [C]
  Tensor<S> nsp_logits;                                             // [2]
  Tensor<S> class_logits;                                           // [classes]

  int tokens() const { return input.tokens(); }

  // The tensor of a site, nullptr when it was not kept or does not exist. `index` is the
  // layer, or the depth for hidden_states, and 0 for sites that exist once.
  const Tensor<S>* find(Site site, int index) const;
};

}  // namespace nullscope::model
