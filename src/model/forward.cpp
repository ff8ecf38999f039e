#include "model/forward.h"

#include <cmath>

#include "model/pass_context.h"

namespace nullscope::model {

TraceDetail TraceDetail::everything() {
  TraceDetail detail;
  detail.keep.set();
  return detail;
}

TraceDetail TraceDetail::last_hidden_state() { return {}; }

TraceDetail TraceDetail::attention_views() {
  TraceDetail detail;
  for (const Site site : {Site::kEmbeddingSum, Site::kHiddenStates, Site::kValue, Site::kAttentionProbs, Site::kContext,
                          Site::kMlmLogits, Site::kPooledOutput, Site::kNspLogits, Site::kClassLogits})
    detail.keep.set(static_cast<size_t>(site));
  return detail;
}

Status check_input(const BertConfig& config, const ModelInput& input) {
  const auto outside = [](const char* what, size_t position, int found, int limit) {
    return fail(ErrorCode::kBadIndex, std::string(what) + " " + std::to_string(found) + " at position " + std::to_string(position) +
                                          " is outside 0.." + std::to_string(limit - 1));
  };
  if (input.ids.empty()) return fail(ErrorCode::kMissing, "the input has no tokens");
  if (input.tokens() > config.positions)
    return fail(ErrorCode::kTooLarge, "the model has " + std::to_string(config.positions) + " positions, the input " +
                                          std::to_string(input.tokens()) + " tokens");
  if (!input.segments.empty() && input.segments.size() != input.ids.size())
    return fail(ErrorCode::kBadShape, "expected one segment for each of " + std::to_string(input.ids.size()) + " tokens, found " + std::to_string(input.segments.size()));
  if (!input.mask.empty() && input.mask.size() != input.ids.size())
    return fail(ErrorCode::kBadShape, "expected one mask value for each of " + std::to_string(input.ids.size()) + " tokens, found " + std::to_string(input.mask.size()));
  for (size_t i = 0; i < input.ids.size(); ++i)
    if (input.ids[i] < 0 || input.ids[i] >= config.vocabulary) return outside("token id", i, input.ids[i], config.vocabulary);
  const int segments = std::max(config.segments, 1);  // without a table every segment must be 0
  for (size_t i = 0; i < input.segments.size(); ++i)
    if (input.segments[i] < 0 || input.segments[i] >= segments) return outside("segment", i, input.segments[i], segments);
  for (size_t i = 0; i < input.mask.size(); ++i)
    if (input.mask[i] != 0 && input.mask[i] != 1) return outside("mask value", i, input.mask[i], 2);
  return {};
}

template <class S>
Status check_finite(const Tensor<S>& numbers, const std::string& where) {
  // x - x is 0 for finite numbers and not-a-number otherwise, and sums keep that.
  S sum = 0;
  for (const S x : numbers.values()) sum += x - x;
  if (sum == S(0)) return {};
  return fail(ErrorCode::kNotFinite, where + " holds numbers that are infinite or not a number: the weights are damaged, or too large for float32");
}

template <class S>
struct ForwardPass<S>::State {
  const BertWeights& weights;
  Interventions interventions;
  TraceDetail detail;
  const nn::Parallel* parallel;
  ForwardTrace<S> trace;
  bool embedded = false;
  int layer = 0, piece = 0;  // next piece of the blocks, then of the heads (layer == L)
  int head_count = -1;       // pieces of the heads, known once the weights are complete

  PassContext<S> context() const { return {weights, interventions, detail, parallel}; }
};

template <class S>
ForwardPass<S>::ForwardPass(std::unique_ptr<State> state) : state_(std::move(state)) {}
template <class S>
ForwardPass<S>::ForwardPass(ForwardPass&&) noexcept = default;
template <class S>
ForwardPass<S>& ForwardPass<S>::operator=(ForwardPass&&) noexcept = default;
template <class S>
ForwardPass<S>::~ForwardPass() = default;

template <class S>
Result<ForwardPass<S>> ForwardPass<S>::start(const BertWeights& weights, ModelInput input, Interventions interventions,
                                             TraceDetail detail, const nn::Parallel* parallel) {
  const BertConfig& config = weights.config;
  NULLSCOPE_TRY(check_input(config, input));
  if (input.segments.empty()) input.segments.assign(input.ids.size(), 0);
  NULLSCOPE_TRY(check_interventions(weights, input.tokens(), interventions));
  for (const int position : detail.mlm_positions)
    if (position < 0 || position >= input.tokens())
      return fail(ErrorCode::kBadIndex, "mlm_positions: " + std::to_string(position) + " is outside 0.." + std::to_string(input.tokens() - 1));
  auto state = std::unique_ptr<State>(new State{weights, std::move(interventions), std::move(detail), parallel, {}});
  state->trace.config = config;
  state->trace.input = std::move(input);
  state->trace.hidden_states.resize(static_cast<size_t>(config.layers) + 1);
  state->trace.layers.resize(static_cast<size_t>(config.layers));
  return ForwardPass(std::move(state));
}

template <class S>
bool ForwardPass<S>::finished() const {
  return state_->layer == state_->weights.config.layers && state_->piece == state_->head_count;
}

template <class S>
int ForwardPass<S>::layers_done() const { return state_->layer; }

template <class S>
bool ForwardPass<S>::can_step() const {
  if (finished()) return false;
  if (!state_->embedded) return state_->weights.embeddings_ready();
  const BertWeights& weights = state_->weights;
  return state_->layer == weights.config.layers ? !weights.heads_pending : weights.layer_ready(state_->layer);
}

template <class S>
std::string ForwardPass<S>::waiting_for() const {
  if (!state_->embedded) return "the embeddings";
  return state_->layer == state_->weights.config.layers ? "the heads" : "layer " + std::to_string(state_->layer);
}

template <class S>
Status ForwardPass<S>::step() {
  State& s = *state_;
  NULLSCOPE_CHECK(can_step());
  const PassContext<S> context = s.context();
  const int layers = s.weights.config.layers;
  if (!s.embedded) {
    run_embeddings(context, s.trace);
    s.embedded = true;
    return check_finite(s.trace.hidden_states[0], "hidden_states[0]");
  }
  if (s.layer < layers) {
    run_block_piece(context, s.trace, s.layer, s.piece);
    if (++s.piece < block_pieces(s.trace.tokens())) return {};
    s.piece = 0;
    ++s.layer;
    const auto depth = static_cast<size_t>(s.layer);
    return check_finite(s.trace.hidden_states[depth], "hidden_states[" + std::to_string(depth) + "]");
  }
  if (s.head_count < 0) s.head_count = head_pieces(context, s.trace);
  if (s.head_count == 0) return {};
  run_head_piece(context, s.trace, s.piece);
  if (++s.piece < s.head_count) return {};
  for (const Site site : {Site::kMlmLogits, Site::kPooledOutput, Site::kNspLogits, Site::kClassLogits})
    if (const Tensor<S>* numbers = s.trace.find(site, 0)) NULLSCOPE_TRY(check_finite(*numbers, std::string(site_info(site).name)));
  return {};
}

template <class S>
const ForwardTrace<S>& ForwardPass<S>::trace() const { return state_->trace; }
template <class S>
ForwardTrace<S> ForwardPass<S>::take() && { return std::move(state_->trace); }

template <class S>
Result<ForwardTrace<S>> forward(const BertWeights& weights, ModelInput input, const Interventions& interventions,
                                const TraceDetail& detail, const nn::Parallel* parallel) {
  auto pass = ForwardPass<S>::start(weights, std::move(input), interventions, detail, parallel);
  if (!pass) return std::unexpected(pass.error());
  while (!pass->finished()) {
    if (!pass->can_step()) return fail(ErrorCode::kMissing, pass->waiting_for() + " of the model must be loaded first");
    NULLSCOPE_TRY(pass->step());
  }
  return std::move(*pass).take();
}

template class ForwardPass<float>;
template class ForwardPass<double>;
template Result<ForwardTrace<float>> forward(const BertWeights&, ModelInput, const Interventions&, const TraceDetail&, const nn::Parallel*);
template Result<ForwardTrace<double>> forward(const BertWeights&, ModelInput, const Interventions&, const TraceDetail&, const nn::Parallel*);

}  // namespace nullscope::model
