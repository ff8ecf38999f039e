#include "model/sites.h"

#include <array>

namespace nullscope::model {
namespace {

using enum SiteScope;
using enum SiteShape;

constexpr std::array<SiteInfo, kSiteCount> kSites = {{
    {Site::kWordEmbedding, "word_embedding", kOnce, kTokensHidden},
    {Site::kPositionEmbedding, "position_embedding", kOnce, kTokensHidden},
    {Site::kSegmentEmbedding, "segment_embedding", kOnce, kTokensHidden},
    {Site::kEmbeddingSum, "embedding_sum", kOnce, kTokensHidden},
    {Site::kHiddenStates, "hidden_states", kDepth, kTokensHidden},
    {Site::kQuery, "query", kLayer, kTokensHeadsHeadSize},
    {Site::kKey, "key", kLayer, kTokensHeadsHeadSize},
    {Site::kValue, "value", kLayer, kTokensHeadsHeadSize},
    {Site::kAttentionScores, "attention_scores", kLayer, kHeadsQueriesKeys},
    {Site::kAttentionProbs, "attention_probs", kLayer, kHeadsQueriesKeys},
    {Site::kContext, "context", kLayer, kTokensHeadsHeadSize},
    {Site::kSelfOutput, "self_output", kLayer, kTokensHidden},
    {Site::kAttentionResidual, "attention_residual", kLayer, kTokensHidden},
    {Site::kAttentionOutput, "attention_output", kLayer, kTokensHidden},
    {Site::kIntermediatePre, "intermediate_pre", kLayer, kTokensIntermediate},
    {Site::kIntermediate, "intermediate", kLayer, kTokensIntermediate},
    {Site::kFfnOutput, "ffn_output", kLayer, kTokensHidden},
    {Site::kOutputResidual, "output_residual", kLayer, kTokensHidden},
    {Site::kMlmTransformPre, "mlm_transform_pre", kOnce, kTokensHidden},
    {Site::kMlmTransformAct, "mlm_transform_act", kOnce, kTokensHidden},
    {Site::kMlmTransform, "mlm_transform", kOnce, kTokensHidden},
    {Site::kMlmLogits, "mlm_logits", kOnce, kTokensVocabulary},
    {Site::kPooledOutput, "pooled_output", kOnce, kHidden},
    {Site::kNspLogits, "nsp_logits", kOnce, kPair},
    {Site::kClassLogits, "class_logits", kOnce, kClasses},
}};

constexpr bool in_enum_order() {
  for (size_t i = 0; i < kSites.size(); ++i)
    if (static_cast<size_t>(kSites[i].site) != i) return false;
  return true;
}
static_assert(in_enum_order());

}  // namespace

const SiteInfo& site_info(Site site) { return kSites[static_cast<size_t>(site)]; }

std::optional<Site> site_from_name(std::string_view name) {
  for (const SiteInfo& info : kSites)
    if (info.name == name) return info.site;
  return std::nullopt;
}

}  // namespace nullscope::model
