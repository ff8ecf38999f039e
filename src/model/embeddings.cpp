// hidden_states[0] = LayerNorm(word + position + segment)
#include "model/pass_context.h"

namespace nullscope::model {

template <class S>
void run_embeddings(const PassContext<S>& context, ForwardTrace<S>& trace) {
  const EmbeddingWeights& w = context.weights.embeddings;
  const int64_t tokens = trace.tokens(), hidden = context.weights.config.hidden;
  for (Tensor<S>* part : {&trace.word_embedding, &trace.position_embedding, &trace.segment_embedding, &trace.embedding_sum})
    *part = Tensor<S>({tokens, hidden});
  for (int64_t t = 0; t < tokens; ++t) {
    const auto at = static_cast<size_t>(t);
    nn::widen_row(w.word.view(), trace.input.ids[at], trace.word_embedding.block(t));
    nn::widen_row(w.position.view(), t, trace.position_embedding.block(t));
    if (w.segment.present()) nn::widen_row(w.segment.view(), trace.input.segments[at], trace.segment_embedding.block(t));
  }
  context.intervene(Site::kWordEmbedding, 0, trace.word_embedding);
  context.intervene(Site::kPositionEmbedding, 0, trace.position_embedding);
  context.intervene(Site::kSegmentEmbedding, 0, trace.segment_embedding);
  for (int64_t i = 0; i < tokens * hidden; ++i)
    trace.embedding_sum.data()[i] = trace.word_embedding.data()[i] + trace.segment_embedding.data()[i] + trace.position_embedding.data()[i];
  context.intervene(Site::kEmbeddingSum, 0, trace.embedding_sum);
  trace.hidden_states[0] = Tensor<S>({tokens, hidden});
  context.layer_norm(w.norm, trace.embedding_sum, trace.hidden_states[0]);
  context.intervene(Site::kHiddenStates, 0, trace.hidden_states[0]);
  context.settle(Site::kWordEmbedding, trace.word_embedding);
  context.settle(Site::kPositionEmbedding, trace.position_embedding);
  context.settle(Site::kSegmentEmbedding, trace.segment_embedding);
  context.settle(Site::kEmbeddingSum, trace.embedding_sum);
}

template void run_embeddings(const PassContext<float>&, ForwardTrace<float>&);
template void run_embeddings(const PassContext<double>&, ForwardTrace<double>&);

}  // namespace nullscope::model
