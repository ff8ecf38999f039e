#include "model/apply_intervention.h"

#include <cmath>
#include <string>

namespace nullscope::model {
namespace {

bool has_heads(SiteShape shape) { return shape == SiteShape::kTokensHeadsHeadSize || shape == SiteShape::kHeadsQueriesKeys; }
bool has_positions(SiteShape shape) {
  return shape != SiteShape::kHidden && shape != SiteShape::kPair && shape != SiteShape::kClasses;
}

// The part that makes the site is there, or may still come.
bool exists(const BertWeights& weights, Site site) {
  if (weights.heads_pending) return true;
  switch (site) {
    case Site::kMlmTransformPre:
    case Site::kMlmTransformAct:
    case Site::kMlmTransform:
    case Site::kMlmLogits: return weights.mlm.has_value();
    case Site::kPooledOutput: return weights.pooler.has_value();
    case Site::kNspLogits: return weights.pooler && weights.nsp;
    case Site::kClassLogits: return weights.pooler && weights.classifier;
    default: return true;
  }
}

int64_t selected_count(const BertWeights& weights, int64_t tokens, const Intervention& change) {
  const BertConfig& c = weights.config;
  const SiteShape shape = site_info(change.site).shape;
  const int64_t positions = change.position ? 1 : tokens;
  const int64_t heads = change.head ? 1 : c.heads;
  switch (shape) {
    case SiteShape::kTokensHidden: return positions * c.hidden;
    case SiteShape::kTokensHeadsHeadSize: return positions * heads * c.head_size();
    case SiteShape::kHeadsQueriesKeys: return heads * positions * tokens;
    case SiteShape::kTokensIntermediate: return positions * c.intermediate;
    case SiteShape::kTokensVocabulary: return positions * c.vocabulary;
    case SiteShape::kHidden: return c.hidden;
    case SiteShape::kPair: return 2;
    case SiteShape::kClasses: return weights.classifier ? weights.classifier->weight.rows() : 0;
  }
  return 0;
}

Status check_one(const BertWeights& weights, int tokens, const Intervention& change) {
  const BertConfig& config = weights.config;
  const SiteInfo& info = site_info(change.site);
  const std::string name = "intervention on " + std::string(info.name);
  const auto outside = [&](const char* what, int found, int limit) {
    return fail(ErrorCode::kBadIndex, name + ": " + what + " " + std::to_string(found) + " is outside 0.." + std::to_string(limit - 1));
  };
  if (!exists(weights, change.site)) return fail(ErrorCode::kMissing, name + ": the model has no such head");
  const int layers = info.scope == SiteScope::kOnce ? 1 : info.scope == SiteScope::kLayer ? config.layers : config.layers + 1;
  if (change.layer < 0 || change.layer >= layers) return outside(info.scope == SiteScope::kDepth ? "depth" : "layer", change.layer, layers);
  if (change.head && !has_heads(info.shape)) return fail(ErrorCode::kBadOption, name + ": the site has no heads");
  if (change.head && (*change.head < 0 || *change.head >= config.heads)) return outside("head", *change.head, config.heads);
  if (change.position && !has_positions(info.shape)) return fail(ErrorCode::kBadOption, name + ": the site has no positions");
  if (change.position && (*change.position < 0 || *change.position >= tokens)) return outside("position", *change.position, tokens);
  if (change.kind == Intervention::Kind::kScale) {
    if (!std::isfinite(change.factor)) return fail(ErrorCode::kNotFinite, name + ": the factor must be finite, found " + std::to_string(change.factor));
    return {};
  }
  const int64_t expected = selected_count(weights, tokens, change);
  if (change.values.size() != expected)
    return fail(ErrorCode::kBadShape, name + ": expected " + std::to_string(expected) + " values, found " + std::to_string(change.values.size()));
  for (int64_t i = 0; i < expected; ++i)
    if (const double value = change.values.data()[i]; !std::isfinite(value))
      return fail(ErrorCode::kNotFinite, name + ": value " + std::to_string(i) + " must be finite, found " + std::to_string(value));
  return {};
}

// Calls `visit(first, count)` for each run of selected numbers, in the site's order.
template <class S, class Visit>
void each_selected(const Intervention& change, Tensor<S>& numbers, Visit visit) {
  switch (site_info(change.site).shape) {
    case SiteShape::kTokensHeadsHeadSize: {
      const int64_t heads = numbers.dim(1), size = numbers.dim(2);
      for (int64_t t = 0; t < numbers.dim(0); ++t) {
        if (change.position && *change.position != t) continue;
        if (change.head)
          visit(numbers.block(t) + *change.head * size, size);
        else
          visit(numbers.block(t), heads * size);
      }
      break;
    }
    case SiteShape::kHeadsQueriesKeys: {
      const int64_t queries = numbers.dim(1), keys = numbers.dim(2);
      for (int64_t h = 0; h < numbers.dim(0); ++h) {
        if (change.head && *change.head != h) continue;
        if (change.position)
          visit(numbers.block(h) + *change.position * keys, keys);
        else
          visit(numbers.block(h), queries * keys);
      }
      break;
    }
    default:
      if (change.position)
        visit(numbers.block(*change.position), numbers.block_size());
      else
        visit(numbers.data(), numbers.size());
  }
}

}  // namespace

Status check_interventions(const BertWeights& weights, int tokens, const Interventions& interventions) {
  for (const Intervention& change : interventions) NULLSCOPE_TRY(check_one(weights, tokens, change));
  return {};
}

template <class S>
void apply_interventions(const Interventions& interventions, Site site, int layer, Tensor<S>& numbers) {
  for (const Intervention& change : interventions) {
    if (change.site != site || change.layer != layer || numbers.empty()) continue;
    const double* value = change.values.data();
    each_selected(change, numbers, [&](S* first, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        switch (change.kind) {
          case Intervention::Kind::kReplace: first[i] = static_cast<S>(*value++); break;
          case Intervention::Kind::kAdd: first[i] += static_cast<S>(*value++); break;
          case Intervention::Kind::kScale: first[i] *= static_cast<S>(change.factor); break;
        }
      }
    });
  }
}

template void apply_interventions(const Interventions&, Site, int, Tensor<float>&);
template void apply_interventions(const Interventions&, Site, int, Tensor<double>&);

}  // namespace nullscope::model
