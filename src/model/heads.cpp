// The heads on hidden_states[L]: pooler, sentence relation, classes, and word guesses, the
// last in chunks of the vocabulary.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/pass_context.h"
#include "nn/matmul.h"

namespace nullscope::model {
namespace {

// Rows of mlm_logits that are wanted.
std::vector<int> wanted_rows(const TraceDetail& detail, int tokens) {
  if (!detail.mlm_positions.empty()) return detail.mlm_positions;
  std::vector<int> all(static_cast<size_t>(tokens));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Vocabulary rows of one piece: about a GFLOP.
int64_t vocabulary_chunk(int64_t rows, int64_t hidden) { return std::max<int64_t>(256, 500'000'000 / (rows * hidden)); }

template <class S>
void run_pooler(const PassContext<S>& context, ForwardTrace<S>& trace) {
  const BertWeights& w = context.weights;
  if (!w.pooler) return;
  Tensor<S> first({1, w.config.hidden});
  std::copy_n(trace.hidden_states.back().data(), w.config.hidden, first.data());
  trace.pooled_output = Tensor<S>({w.config.hidden});
  context.linear(*w.pooler, first, trace.pooled_output, 0, 1);
  for (S& x : trace.pooled_output.values()) x = std::tanh(x);
  context.intervene(Site::kPooledOutput, 0, trace.pooled_output);
  if (w.nsp) {
    trace.nsp_logits = Tensor<S>({w.nsp->weight.rows()});
    context.linear(*w.nsp, trace.pooled_output, trace.nsp_logits, 0, 1);
    context.intervene(Site::kNspLogits, 0, trace.nsp_logits);
  }
  if (w.classifier) {
    trace.class_logits = Tensor<S>({w.classifier->weight.rows()});
    context.linear(*w.classifier, trace.pooled_output, trace.class_logits, 0, 1);
    context.intervene(Site::kClassLogits, 0, trace.class_logits);
  }
  context.settle(Site::kPooledOutput, trace.pooled_output);
  context.settle(Site::kNspLogits, trace.nsp_logits);
  context.settle(Site::kClassLogits, trace.class_logits);
}

template <class S>
void settle_mlm_transform(const PassContext<S>& context, ForwardTrace<S>& trace) {
  context.settle(Site::kMlmTransformPre, trace.mlm_transform_pre);
  context.settle(Site::kMlmTransformAct, trace.mlm_transform_act);
  context.settle(Site::kMlmTransform, trace.mlm_transform);
}

template <class S>
void run_mlm_transform(const PassContext<S>& context, ForwardTrace<S>& trace) {
  const MlmHeadWeights& w = *context.weights.mlm;
  const Tensor<S>& hidden = trace.hidden_states.back();
  trace.mlm_transform_pre = Tensor<S>(hidden.shape());
  context.linear(w.transform, hidden, trace.mlm_transform_pre, 0, trace.tokens());
  context.intervene(Site::kMlmTransformPre, 0, trace.mlm_transform_pre);
  trace.mlm_transform_act = Tensor<S>(hidden.shape());
  nn::activate(context.weights.config.activation, trace.mlm_transform_pre.data(), trace.mlm_transform_act.data(), hidden.size());
  context.intervene(Site::kMlmTransformAct, 0, trace.mlm_transform_act);
  trace.mlm_transform = Tensor<S>(hidden.shape());
  context.layer_norm(w.norm, trace.mlm_transform_act, trace.mlm_transform);
  context.intervene(Site::kMlmTransform, 0, trace.mlm_transform);
  if (context.detail.keeps(Site::kMlmLogits))
    trace.mlm_logits = Tensor<S>({trace.tokens(), context.weights.config.vocabulary});
  else
    settle_mlm_transform(context, trace);
}

template <class S>
void run_mlm_chunk(const PassContext<S>& context, ForwardTrace<S>& trace, int64_t chunk) {
  const LinearWeights& w = context.weights.mlm->decoder;
  const int64_t hidden = context.weights.config.hidden, vocabulary = context.weights.config.vocabulary;
  const std::vector<int> rows = wanted_rows(context.detail, trace.tokens());
  const auto count = static_cast<int64_t>(rows.size());
  const int64_t step = vocabulary_chunk(count, hidden), first = chunk * step, size = std::min(step, vocabulary - first);
  Tensor<S> gathered({count, hidden}), logits({count, size});
  for (int64_t i = 0; i < count; ++i) std::copy_n(trace.mlm_transform.block(rows[static_cast<size_t>(i)]), hidden, gathered.block(i));
  const nn::WeightView view = w.weight.view();
  const int64_t width = view.type == nn::WeightType::kF16 ? 2 : view.type == nn::WeightType::kF32 ? 4 : 8;
  const std::vector<S> bias = w.bias.present() ? widened<S>(w.bias) : std::vector<S>(static_cast<size_t>(vocabulary));
  const nn::RowsView part{static_cast<const std::byte*>(view.data) + first * hidden * width, view.type, size, hidden};
  nn::matmul(gathered.data(), hidden, count, hidden, part, bias.data() + first, logits.data(), size, context.parallel);
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(logits.block(i), size, trace.mlm_logits.block(rows[static_cast<size_t>(i)]) + first);
  if (first + size < vocabulary) return;
  context.intervene(Site::kMlmLogits, 0, trace.mlm_logits);
  settle_mlm_transform(context, trace);
}

bool wants_mlm(const TraceDetail& detail) {
  return detail.keeps(Site::kMlmTransformPre) || detail.keeps(Site::kMlmTransformAct) || detail.keeps(Site::kMlmTransform) ||
         detail.keeps(Site::kMlmLogits);
}
bool wants_pooler(const TraceDetail& detail) {
  return detail.keeps(Site::kPooledOutput) || detail.keeps(Site::kNspLogits) || detail.keeps(Site::kClassLogits);
}

}  // namespace

template <class S>
int head_pieces(const PassContext<S>& context, const ForwardTrace<S>& trace) {
  if (!context.weights.mlm || !wants_mlm(context.detail)) return wants_pooler(context.detail) ? 1 : 0;
  if (!context.detail.keeps(Site::kMlmLogits)) return 2;
  const auto rows = static_cast<int64_t>(wanted_rows(context.detail, trace.tokens()).size());
  const int64_t step = vocabulary_chunk(rows, context.weights.config.hidden);
  return 2 + static_cast<int>((context.weights.config.vocabulary + step - 1) / step);
}

template <class S>
void run_head_piece(const PassContext<S>& context, ForwardTrace<S>& trace, int piece) {
  if (piece == 0) return run_pooler(context, trace);
  if (piece == 1) return run_mlm_transform(context, trace);
  run_mlm_chunk(context, trace, piece - 2);
}

template int head_pieces(const PassContext<float>&, const ForwardTrace<float>&);
template int head_pieces(const PassContext<double>&, const ForwardTrace<double>&);
template void run_head_piece(const PassContext<float>&, ForwardTrace<float>&, int);
template void run_head_piece(const PassContext<double>&, ForwardTrace<double>&, int);

}  // namespace nullscope::model
