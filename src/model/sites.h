// Sites: every place inside BERT whose numbers can be read, replaced or differentiated.
// This table alone knows the strings; DESIGN's table maps them to Hugging Face and
// TransformerLens names.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace nullscope::model {

enum class Site {
  kWordEmbedding,      // word_embedding       [T, C]
  kPositionEmbedding,  // position_embedding   [T, C]
  kSegmentEmbedding,   // segment_embedding    [T, C]
  kEmbeddingSum,       // embedding_sum        [T, C]   before the embedding LayerNorm
  kHiddenStates,       // hidden_states        [T, C]   one per depth 0..L
  kQuery,              // query                [T, H, D]
  kKey,                // key                  [T, H, D]
  kValue,              // value                [T, H, D]
  kAttentionScores,    // attention_scores     [H, T_q, T_k]   q.k / sqrt(D)
  kAttentionProbs,     // attention_probs      [H, T_q, T_k]
  kContext,            // context              [T, H, D]
  kSelfOutput,         // self_output          [T, C]   W_O context + b_O
  kAttentionResidual,  // attention_residual   [T, C]   hidden + self_output
  kAttentionOutput,    // attention_output     [T, C]   LayerNorm of it
  kIntermediatePre,    // intermediate_pre     [T, F]
  kIntermediate,       // intermediate         [T, F]   after the activation
  kFfnOutput,          // ffn_output           [T, C]
  kOutputResidual,     // output_residual      [T, C]   attention_output + ffn_output
  kMlmTransformPre,    // mlm_transform_pre    [T, C]
  kMlmTransformAct,    // mlm_transform_act    [T, C]
  kMlmTransform,       // mlm_transform        [T, C]
  kMlmLogits,          // mlm_logits           [T, V]
  kPooledOutput,       // pooled_output        [C]
  kNspLogits,          // nsp_logits           [2]
  kClassLogits,        // class_logits         [classes]
};
inline constexpr size_t kSiteCount = 25;

// Where a site exists: once, once a layer, or once a depth.
enum class SiteScope { kOnce, kLayer, kDepth };
// How its numbers are laid out.
enum class SiteShape { kTokensHidden, kTokensHeadsHeadSize, kHeadsQueriesKeys, kTokensIntermediate,
                       kTokensVocabulary, kHidden, kPair, kClasses };

struct SiteInfo {
  Site site;
  std::string_view name;  // in files, on axes, in messages
  SiteScope scope;
  SiteShape shape;
};

const SiteInfo& site_info(Site site);
std::optional<Site> site_from_name(std::string_view name);

}  // namespace nullscope::model
