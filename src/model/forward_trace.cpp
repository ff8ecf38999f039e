#include "model/forward_trace.h"

namespace nullscope::model {
namespace {

template <class S>
const Tensor<S>* layer_site(const LayerTrace<S>& layer, Site site) {
  switch (site) {
    case Site::kQuery: return &layer.query;
    case Site::kKey: return &layer.key;
    case Site::kValue: return &layer.value;
    case Site::kAttentionScores: return &layer.attention_scores;
    case Site::kAttentionProbs: return &layer.attention_probs;
    case Site::kContext: return &layer.context;
    case Site::kSelfOutput: return &layer.self_output;
    case Site::kAttentionResidual: return &layer.attention_residual;
    case Site::kAttentionOutput: return &layer.attention_output;
    case Site::kIntermediatePre: return &layer.intermediate_pre;
    case Site::kIntermediate: return &layer.intermediate;
    case Site::kFfnOutput: return &layer.ffn_output;
    case Site::kOutputResidual: return &layer.output_residual;
    default: return nullptr;
  }
}

template <class S>
const Tensor<S>* single_site(const ForwardTrace<S>& trace, Site site) {
  switch (site) {
    case Site::kWordEmbedding: return &trace.word_embedding;
    case Site::kPositionEmbedding: return &trace.position_embedding;
    case Site::kSegmentEmbedding: return &trace.segment_embedding;
    case Site::kEmbeddingSum: return &trace.embedding_sum;
    case Site::kMlmTransformPre: return &trace.mlm_transform_pre;
    case Site::kMlmTransformAct: return &trace.mlm_transform_act;
    case Site::kMlmTransform: return &trace.mlm_transform;
    case Site::kMlmLogits: return &trace.mlm_logits;
    case Site::kPooledOutput: return &trace.pooled_output;
    case Site::kNspLogits: return &trace.nsp_logits;
    case Site::kClassLogits: return &trace.class_logits;
    default: return nullptr;
  }
}

}  // namespace

template <class S>
const Tensor<S>* ForwardTrace<S>::find(Site site, int index) const {
  const auto at = static_cast<size_t>(index);
  const Tensor<S>* found = nullptr;
  switch (site_info(site).scope) {
    case SiteScope::kDepth: found = at < hidden_states.size() ? &hidden_states[at] : nullptr; break;
    case SiteScope::kLayer: found = at < layers.size() ? layer_site(layers[at], site) : nullptr; break;
    case SiteScope::kOnce: found = index == 0 ? single_site(*this, site) : nullptr; break;
  }
  return found == nullptr || found->empty() ? nullptr : found;
}

template struct ForwardTrace<float>;
template struct ForwardTrace<double>;

}  // namespace nullscope::model
