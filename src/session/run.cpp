#include "session/run.h"

#include <algorithm>

#include "session/message_parts.h"

namespace nullscope::session {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kGuesses = 10;
// Small pieces are gathered into one step for this long, so that looking for new requests costs little.
constexpr std::chrono::milliseconds kStep{8};

}  // namespace

Run::Run(Request request, text::Encoding encoding, model::ForwardPass<float> pass, const model::BertWeights& weights, const nn::Parallel& parallel)
    : request_(std::move(request)), encoding_(std::move(encoding)), pass_(std::move(pass)), weights_(&weights), parallel_(&parallel),
      started_(Clock::now()) {}

Result<Run> Run::start(Request request, text::Encoding encoding, const model::BertWeights& weights, const nn::Parallel& parallel) {
  auto pass = model::ForwardPass<float>::start(weights, {encoding.ids, encoding.segments, {}}, {},
                                               model::TraceDetail::attention_views(), &parallel);
  if (!pass) return std::unexpected(std::move(pass.error()));
  return Run(std::move(request), std::move(encoding), std::move(*pass), weights, parallel);
}

void Run::restart(Request request) {
  request_ = std::move(request);
  stage_ = Stage::kLayers;
  layer_ = 0;
  heads_.clear();
  started_ = Clock::now();
}

bool Run::can_step() const {
  if (finished()) return false;
  return stage_ == Stage::kGuesses || layer_ < pass_.layers_done() || pass_.finished() || pass_.can_step();
}

Status Run::analyse_heads() {
  const int heads = weights_->config.heads;
  const Clock::time_point end = Clock::now() + kStep;
  while (static_cast<int>(heads_.size()) < heads && Clock::now() < end) {
    const int first = static_cast<int>(heads_.size()), count = std::min(parallel_->threads(), heads - first);
    std::vector<Result<analysis::EffectiveAttention>> found(static_cast<size_t>(count), fail(ErrorCode::kMissing, ""));
    parallel_->run(count, [&](int i) {
      found[static_cast<size_t>(i)] = analysis::effective_attention(pass_.trace(), *weights_, {layer_, first + i}, {request_.variant, request_.cut});
    });
    for (auto& head : found) {
      if (!head) return std::unexpected(std::move(head.error()));
      heads_.push_back(std::move(*head));
    }
  }
  return {};
}

TensorBundle Run::finish_layer() {
  TensorBundle message = layer_message(request_, layer_, pass_.trace().layers[static_cast<size_t>(layer_)].attention_probs, heads_);
  heads_.clear();
  ++layer_;
  return message;
}

void Run::guess_words() {
  const Tensor<float>& logits = pass_.trace().mlm_logits;
  const int64_t tokens = logits.empty() ? 0 : logits.dim(0);
  const Clock::time_point end = Clock::now() + kStep;
  while (static_cast<int64_t>(guesses_.size()) < tokens && Clock::now() < end) {
    Tensor<float> row({1, logits.dim(1)});
    std::copy_n(logits.block(static_cast<int64_t>(guesses_.size())), row.size(), row.data());
    guesses_.push_back(model::top_predictions(row, kGuesses));
  }
  if (static_cast<int64_t>(guesses_.size()) == tokens) stage_ = Stage::kDone;
}

Result<std::vector<TensorBundle>> Run::step(const text::Vocabulary& vocabulary) {
  std::vector<TensorBundle> messages;
  if (stage_ == Stage::kLayers && layer_ < pass_.layers_done()) {
    NULLSCOPE_TRY(analyse_heads());
    if (static_cast<int>(heads_.size()) == weights_->config.heads) messages.push_back(finish_layer());
    return messages;
  }
  if (stage_ == Stage::kLayers && !pass_.finished()) {
    NULLSCOPE_TRY(pass_.step());
    return messages;
  }
  stage_ = Stage::kGuesses;
  guess_words();
  if (stage_ != Stage::kDone) return messages;
  messages.push_back(heads_message(request_, pass_.trace(), guesses_, vocabulary));
  const std::chrono::duration<double, std::milli> spent = Clock::now() - started_;
  messages.push_back(done_message(request_, spent.count(), parallel_->threads()));
  return messages;
}

}  // namespace nullscope::session
