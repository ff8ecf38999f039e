// What an engine (worker or thread) and a document say to each other. Both directions are
// plain values; engine -> document is a TensorBundle whose metadata has a "kind", so that
// the same bytes serve as worker message, cached result, snapshot and export.
//
// kind        metadata                                   tensors
// "model"     name, config (JSON), storage ("F16"),      -
//             tokenizer ("1"/"0"), warnings (JSON list),
//             no_mlm, no_pooler, no_nsp, no_classifier
// "tokens"    request, text, pair, has_pair ("1"/"0"),   ids, segments, words, sequence [T] I64,
//             tokens (JSON list), cut_first, cut_second, offsets [T, 2] I64
//             layers, heads (of the model)
// "layer"     request, layer, variant                    attention_probs [H, T, T],
//                                                        effective_attention.VARIANT [H, T, T],
//                                                        .rank [H] I64, .singular_values [H, m],
//                                                        .output_residual_max [H], .pearson [H],
//                                                        .row_sum [H, T], .cut [H]
// "heads"     request, mlm.top10_tokens (JSON [T][10])   mlm.top10_ids, mlm.top10_probabilities
//                                                        [T, 10]; nsp_logits [2], class_logits
// "done"      request, milliseconds, engine              -
//             (instruction set), threads
// "error"     request (absent when none), code, message, -
//             scope ("model", "text", "engine")
// "snapshot"  all of "tokens", "heads", "model",         the same with layers stacked in axis 0;
//             "done"; variant, format ("1")              maps as F16
//
// Numbers in metadata are decimal text. Every message about a text carries the number of the
// request it answers; a document drops what does not answer its newest request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/effective_attention.h"

namespace nullscope::session {

struct Request {
  int64_t number = 0;  // grows with every request
  std::string text;
  std::optional<std::string> pair;
  analysis::EffectiveVariant variant = analysis::EffectiveVariant::kValue;
  std::optional<double> cut;  // relative cut of singular values, unset for the default
};

}  // namespace nullscope::session
