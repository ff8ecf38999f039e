// One encoder block, a piece at a time: query, key, value; attention and its output; the
// feed-forward part in chunks of tokens; the closing LayerNorm.
#include <algorithm>

#include "model/pass_context.h"
#include "nn/attention.h"

namespace nullscope::model {
namespace {

constexpr int kChunk = 128;  // tokens of one feed-forward piece: some 20 ms in a browser

int chunks(int tokens) { return (tokens + kChunk - 1) / kChunk; }

template <class S>
void project(const PassContext<S>& context, ForwardTrace<S>& trace, int layer) {
  const BertConfig& config = context.weights.config;
  const LayerWeights& w = context.weights.layers[static_cast<size_t>(layer)];
  LayerTrace<S>& at = trace.layers[static_cast<size_t>(layer)];
  const Tensor<S>& hidden = trace.hidden_states[static_cast<size_t>(layer)];
  const auto make = [&](const LinearWeights& linear, Site site, Tensor<S>& out) {
    out = Tensor<S>({trace.tokens(), config.heads, config.head_size()});
    context.linear(linear, hidden, out, 0, trace.tokens());
    context.intervene(site, layer, out);
  };
  make(w.query, Site::kQuery, at.query);
  make(w.key, Site::kKey, at.key);
  make(w.value, Site::kValue, at.value);
}

// sum = a + b, site by site, then LayerNorm of it.
template <class S>
Tensor<S> sum_of(const Tensor<S>& a, const Tensor<S>& b) {
  Tensor<S> sum(a.shape());
  std::transform(a.data(), a.data() + a.size(), b.data(), sum.data(), [](S x, S y) { return x + y; });
  return sum;
}

template <class S>
void attend(const PassContext<S>& context, ForwardTrace<S>& trace, int layer) {
  const BertConfig& config = context.weights.config;
  const LayerWeights& w = context.weights.layers[static_cast<size_t>(layer)];
  LayerTrace<S>& at = trace.layers[static_cast<size_t>(layer)];
  const int64_t tokens = trace.tokens();
  const nn::AttentionShape shape{tokens, config.heads, config.head_size()};
  at.attention_scores = Tensor<S>({config.heads, tokens, tokens});
  nn::attention_scores(shape, at.query.data(), at.key.data(), at.attention_scores.data(), context.parallel);
  context.intervene(Site::kAttentionScores, layer, at.attention_scores);
  const int* mask = trace.input.mask.empty() ? nullptr : trace.input.mask.data();
  if (context.detail.keeps(Site::kAttentionScores))
    at.attention_probs = Tensor<S>(at.attention_scores.shape());
  else
    at.attention_probs = std::move(at.attention_scores);  // computed in place
  const Tensor<S>& scores = at.attention_scores.empty() ? at.attention_probs : at.attention_scores;
  nn::attention_probs(shape, scores.data(), mask, at.attention_probs.data(), context.parallel);
  context.intervene(Site::kAttentionProbs, layer, at.attention_probs);

  at.context = Tensor<S>(at.value.shape());
  nn::attention_context(shape, at.attention_probs.data(), at.value.data(), at.context.data(), context.parallel);
  context.intervene(Site::kContext, layer, at.context);
  at.self_output = Tensor<S>({tokens, config.hidden});
  context.linear(w.self_output, at.context, at.self_output, 0, tokens);
  context.intervene(Site::kSelfOutput, layer, at.self_output);
  at.attention_residual = sum_of(trace.hidden_states[static_cast<size_t>(layer)], at.self_output);
  context.intervene(Site::kAttentionResidual, layer, at.attention_residual);
  at.attention_output = Tensor<S>({tokens, config.hidden});
  context.layer_norm(w.attention_norm, at.attention_residual, at.attention_output);
  context.intervene(Site::kAttentionOutput, layer, at.attention_output);

  at.intermediate_pre = Tensor<S>({tokens, config.intermediate});
  at.ffn_output = Tensor<S>({tokens, config.hidden});
}

// Interventions see whole tensors, so each half of the feed-forward part is a round of chunks.
template <class S>
void widen(const PassContext<S>& context, ForwardTrace<S>& trace, int layer, int chunk) {
  const LayerWeights& w = context.weights.layers[static_cast<size_t>(layer)];
  LayerTrace<S>& at = trace.layers[static_cast<size_t>(layer)];
  const int64_t first = int64_t{chunk} * kChunk, count = std::min<int64_t>(kChunk, trace.tokens() - first);
  context.linear(w.intermediate, at.attention_output, at.intermediate_pre, first, count);
  if (chunk + 1 < chunks(trace.tokens())) return;
  context.intervene(Site::kIntermediatePre, layer, at.intermediate_pre);
  if (context.detail.keeps(Site::kIntermediatePre))
    at.intermediate = Tensor<S>(at.intermediate_pre.shape());
  else
    at.intermediate = std::move(at.intermediate_pre);
  const Tensor<S>& pre = at.intermediate_pre.empty() ? at.intermediate : at.intermediate_pre;
  nn::activate(context.weights.config.activation, pre.data(), at.intermediate.data(), pre.size());
  context.intervene(Site::kIntermediate, layer, at.intermediate);
}

template <class S>
void narrow(const PassContext<S>& context, ForwardTrace<S>& trace, int layer, int chunk) {
  LayerTrace<S>& at = trace.layers[static_cast<size_t>(layer)];
  const int64_t first = int64_t{chunk} * kChunk, count = std::min<int64_t>(kChunk, trace.tokens() - first);
  context.linear(context.weights.layers[static_cast<size_t>(layer)].output, at.intermediate, at.ffn_output, first, count);
}

template <class S>
void close(const PassContext<S>& context, ForwardTrace<S>& trace, int layer) {
  LayerTrace<S>& at = trace.layers[static_cast<size_t>(layer)];
  context.intervene(Site::kFfnOutput, layer, at.ffn_output);
  at.output_residual = sum_of(at.attention_output, at.ffn_output);
  context.intervene(Site::kOutputResidual, layer, at.output_residual);
  const auto depth = static_cast<size_t>(layer) + 1;
  trace.hidden_states[depth] = Tensor<S>(at.output_residual.shape());
  context.layer_norm(context.weights.layers[static_cast<size_t>(layer)].output_norm, at.output_residual, trace.hidden_states[depth]);
  context.intervene(Site::kHiddenStates, layer + 1, trace.hidden_states[depth]);
  const std::pair<Site, Tensor<S>*> sites[] = {
      {Site::kQuery, &at.query}, {Site::kKey, &at.key}, {Site::kValue, &at.value},
      {Site::kAttentionScores, &at.attention_scores}, {Site::kAttentionProbs, &at.attention_probs},
      {Site::kContext, &at.context}, {Site::kSelfOutput, &at.self_output},
      {Site::kAttentionResidual, &at.attention_residual}, {Site::kAttentionOutput, &at.attention_output},
      {Site::kIntermediatePre, &at.intermediate_pre}, {Site::kIntermediate, &at.intermediate},
      {Site::kFfnOutput, &at.ffn_output}, {Site::kOutputResidual, &at.output_residual}};
  for (const auto& [site, numbers] : sites) context.settle(site, *numbers);
  context.settle(Site::kHiddenStates, trace.hidden_states[depth - 1]);
}

}  // namespace

int block_pieces(int tokens) { return 3 + 2 * chunks(tokens); }

template <class S>
void run_block_piece(const PassContext<S>& context, ForwardTrace<S>& trace, int layer, int piece) {
  const int count = chunks(trace.tokens());
  if (piece == 0) return project(context, trace, layer);
  if (piece == 1) return attend(context, trace, layer);
  if (piece < 2 + count) return widen(context, trace, layer, piece - 2);
  if (piece < 2 + 2 * count) return narrow(context, trace, layer, piece - 2 - count);
  close(context, trace, layer);
}

template void run_block_piece(const PassContext<float>&, ForwardTrace<float>&, int, int);
template void run_block_piece(const PassContext<double>&, ForwardTrace<double>&, int, int);

}  // namespace nullscope::model
