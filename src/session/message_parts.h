// Builders of the messages listed in messages.h.
#pragma once

#include <string>
#include <vector>

#include "analysis/effective_attention.h"
#include "core/tensor_bundle.h"
#include "io/checkpoint.h"
#include "model/forward_trace.h"
#include "model/predictions.h"
#include "model/weights.h"
#include "session/messages.h"
#include "text/encoding.h"
#include "text/tokenizer.h"

namespace nullscope::session {

TensorBundle model_message(const std::string& name, const model::BertWeights& weights, const io::LoadReport& report, bool tokenizer);
TensorBundle tokens_message(const Request& request, const text::Encoding& encoding, const model::BertConfig& config);
// `heads` are those of one layer, in order.
TensorBundle layer_message(const Request& request, int layer, const Tensor<float>& attention_probs,
                           const std::vector<analysis::EffectiveAttention>& heads);
// Sentence and class scores, as far as the trace has them, and the guesses: one row each, [T] of them
// or none.
TensorBundle heads_message(const Request& request, const model::ForwardTrace<float>& trace,
                           const std::vector<model::TopPredictions>& guesses, const text::Vocabulary& vocabulary);
TensorBundle done_message(const Request& request, double milliseconds, int threads);
// `request` is 0 for faults that answer no request; `scope` is "model" or "text".
TensorBundle error_message(int64_t request, const char* scope, const Error& error);

}  // namespace nullscope::session
