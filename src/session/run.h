// Run: one text on its way through the model, from tokens to the last message. Its own
// engine's file only.
#pragma once

#include <chrono>
#include <vector>

#include "core/tensor_bundle.h"
#include "model/forward.h"
#include "model/predictions.h"
#include "session/messages.h"
#include "text/encoding.h"
#include "text/vocabulary.h"

namespace nullscope::session {

class Run {
 public:
  // `weights` and `parallel` must outlive the run.
  static Result<Run> start(Request request, text::Encoding encoding, const model::BertWeights& weights, const nn::Parallel& parallel);

  // Other options for the same text: the trace stays.
  void restart(Request request);

  const Request& request() const { return request_; }
  const text::Encoding& encoding() const { return encoding_; }
  bool finished() const { return stage_ == Stage::kDone; }
  bool can_step() const;
  // The next piece of work and the messages that it completes.
  Result<std::vector<TensorBundle>> step(const text::Vocabulary& vocabulary);

 private:
  enum class Stage { kLayers, kGuesses, kDone };
  Run(Request request, text::Encoding encoding, model::ForwardPass<float> pass, const model::BertWeights& weights, const nn::Parallel& parallel);

  Status analyse_heads();
  void guess_words();
  TensorBundle finish_layer();

  Request request_;
  text::Encoding encoding_;
  model::ForwardPass<float> pass_;
  const model::BertWeights* weights_;
  const nn::Parallel* parallel_;
  Stage stage_ = Stage::kLayers;
  int layer_ = 0;                                        // the one whose heads are analysed
  std::vector<analysis::EffectiveAttention> heads_;      // of it, so far
  std::vector<model::TopPredictions> guesses_;           // one row each, so far; kept over a restart
  std::chrono::steady_clock::time_point started_;
};

}  // namespace nullscope::session
