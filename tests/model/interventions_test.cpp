// Interventions on the toy model: identities that must hold at every site, and refusals.
#include <cstring>
#include <limits>

#include "io/trace_bundle.h"
#include "support/random_numbers.h"
#include "support/toy.h"

namespace nullscope::test {
namespace {

using model::Intervention, model::Interventions, model::Site, model::SiteScope, model::SiteShape;
using Kind = Intervention::Kind;
using Trace = model::ForwardTrace<float>;

const model::ModelInput kInput = {{2, 11, 36, 4, 32, 7, 3}, {0, 0, 0, 1, 1, 1, 1}, {}};

struct Place {
  Site site;
  int index;  // layer or depth
};

std::vector<Place> places() {
  const int layers = toy_weights().config.layers;
  std::vector<Place> all;
  for (size_t i = 0; i < model::kSiteCount; ++i) {
    const Site site = static_cast<Site>(i);
    const SiteScope scope = model::site_info(site).scope;
    for (int index = 0; index < (scope == SiteScope::kOnce ? 1 : scope == SiteScope::kLayer ? layers : layers + 1); ++index)
      all.push_back({site, index});
  }
  return all;
}

// When a pass computes it: embeddings, blocks each closed by hidden_states, heads.
int moment(Place place) {
  constexpr int kGroup = 100;
  const int site = static_cast<int>(place.site), layers = toy_weights().config.layers;
  switch (model::site_info(place.site).scope) {
    case SiteScope::kLayer: return (place.index + 1) * kGroup + site;
    case SiteScope::kDepth: return place.index * kGroup + kGroup - 1;
    case SiteScope::kOnce: break;
  }
  return place.site < Site::kHiddenStates ? site : (layers + 1) * kGroup + site;
}

Tensor<double> widened(const Tensor<float>& numbers) {
  Tensor<double> out(numbers.shape());
  std::copy(numbers.data(), numbers.data() + numbers.size(), out.data());
  return out;
}

Intervention replace(Place place, Tensor<double> values) {
  return {.site = place.site, .layer = place.index, .head = {}, .position = {}, .kind = Kind::kReplace, .factor = 1, .values = std::move(values)};
}
Intervention scale(Place place, double factor) {
  return {.site = place.site, .layer = place.index, .head = {}, .position = {}, .kind = Kind::kScale, .factor = factor, .values = {}};
}

bool same_bits(const Trace& a, const Trace& b) {
  for (const Place place : places()) {
    const Tensor<float>*x = a.find(place.site, place.index), *y = b.find(place.site, place.index);
    if ((x == nullptr) != (y == nullptr)) return false;
    if (x != nullptr && std::memcmp(x->data(), y->data(), static_cast<size_t>(x->size()) * sizeof(float)) != 0) return false;
  }
  return true;
}

// Whether a number of the site belongs to the selection, from its index alone.
bool selected(const Intervention& change, const Tensor<float>& numbers, int64_t flat) {
  const Shape& shape = numbers.shape();
  const SiteShape kind = model::site_info(change.site).shape;
  const int64_t first = flat / numbers.block_size();
  const int64_t second = shape.size() < 2 ? 0 : flat % numbers.block_size() / (numbers.block_size() / shape[1]);
  const bool heads_first = kind == SiteShape::kHeadsQueriesKeys;
  const int64_t head = heads_first ? first : second, position = heads_first ? second : first;
  return (!change.head || *change.head == head) && (!change.position || *change.position == position);
}

TEST_CASE("a site replaced by its own numbers, or scaled by 1, changes nothing") {
  const Trace plain = forward_of<float>(toy_weights(), kInput);
  for (const Place place : places()) {
    CAPTURE(model::site_info(place.site).name);
    const Tensor<float>* own = plain.find(place.site, place.index);
    REQUIRE(own != nullptr);
    CHECK(same_bits(plain, forward_of<float>(toy_weights(), kInput, {replace(place, widened(*own))})));
    CHECK(same_bits(plain, forward_of<float>(toy_weights(), kInput, {scale(place, 1)})));
  }
}

TEST_CASE("a selection touches its own numbers, and nothing before them") {
  RandomNumbers random(1);
  const Trace plain = forward_of<float>(toy_weights(), kInput);
  for (const Place place : places()) {
    const SiteShape shape = model::site_info(place.site).shape;
    const bool heads = shape == SiteShape::kTokensHeadsHeadSize || shape == SiteShape::kHeadsQueriesKeys;
    const bool positions = shape != SiteShape::kHidden && shape != SiteShape::kPair && shape != SiteShape::kClasses;
    const Tensor<float>& before = *plain.find(place.site, place.index);
    for (const bool one_head : {false, true})
      for (const bool one_position : {false, true}) {
        if ((one_head && !heads) || (one_position && !positions)) continue;
        CAPTURE(model::site_info(place.site).name);
        Intervention change = replace(place, {});
        if (one_head) change.head = 2;
        if (one_position) change.position = 3;
        int64_t count = 0;
        for (int64_t i = 0; i < before.size(); ++i) count += selected(change, before, i);
        change.values = random.tensor<double>({count});
        const Trace changed = forward_of<float>(toy_weights(), kInput, {change});
        const Tensor<float>& after = *changed.find(place.site, place.index);
        int64_t next = 0, wrong = 0;
        for (int64_t i = 0; i < before.size(); ++i)
          wrong += after.data()[i] != (selected(change, before, i) ? static_cast<float>(change.values.data()[next++]) : before.data()[i]);
        CHECK(wrong == 0);
        for (const Place other : places()) {
          if (moment(other) >= moment(place)) continue;
          const Tensor<float>*x = plain.find(other.site, other.index), *y = changed.find(other.site, other.index);
          CHECK(std::equal(x->data(), x->data() + x->size(), y->data()));
        }
      }
  }
}

TEST_CASE("what a change reaches") {
  const Trace plain = forward_of<float>(toy_weights(), kInput);
  const auto differs = [&](const Trace& other, Site site, int index) {
    const Tensor<float>*x = plain.find(site, index), *y = other.find(site, index);
    return !std::equal(x->data(), x->data() + x->size(), y->data());
  };
  for (const Place place : places()) {
    if (model::site_info(place.site).scope != SiteScope::kLayer) continue;
    CAPTURE(model::site_info(place.site).name);
    const Trace changed = forward_of<float>(toy_weights(), kInput, {scale(place, .5)});
    CHECK(!differs(changed, Site::kHiddenStates, place.index));
    // LayerNorm ignores the scale of a residual, to rounding.
    if (place.site != Site::kAttentionResidual && place.site != Site::kOutputResidual)
      CHECK(differs(changed, Site::kHiddenStates, place.index + 1));
  }
}

TEST_CASE("ablation: zero context of a head is scale 0, and leaves the other heads") {
  for (int layer = 0; layer < 3; ++layer)
    for (int head = 0; head < 4; ++head) {
      Intervention zero = replace({Site::kContext, layer}, Tensor<double>({kInput.tokens(), 6}));
      Intervention none = scale({Site::kContext, layer}, 0);
      zero.head = none.head = head;
      const Trace a = forward_of<float>(toy_weights(), kInput, {zero}), b = forward_of<float>(toy_weights(), kInput, {none});
      const Tensor<float>&x = a.hidden_states.back(), &y = b.hidden_states.back();
      CHECK(std::equal(x.data(), x.data() + x.size(), y.data()));
    }
}

TEST_CASE("changes apply in order") {
  const Place place{Site::kHiddenStates, 1};
  Tensor<double> ones({kInput.tokens(), 24});
  std::fill(ones.data(), ones.data() + ones.size(), 1);
  Intervention add = replace(place, ones);
  add.kind = Kind::kAdd;
  const Trace plain = forward_of<float>(toy_weights(), kInput);
  const Trace add_first = forward_of<float>(toy_weights(), kInput, {add, scale(place, 2)});
  const Trace scale_first = forward_of<float>(toy_weights(), kInput, {scale(place, 2), add});
  const float x = plain.hidden_states[1](3, 5);
  CHECK(add_first.hidden_states[1](3, 5) == (x + 1) * 2);
  CHECK(scale_first.hidden_states[1](3, 5) == x * 2 + 1);
}

TEST_CASE("what is refused before the pass starts") {
  const auto refusal = [](const model::BertWeights& weights, const Intervention& change) {
    const auto trace = model::forward<float>(weights, kInput, {change});
    REQUIRE(!trace);
    return trace.error();
  };
  const model::BertWeights& toy = toy_weights();
  const auto message = [&](const Intervention& change) { return refusal(toy, change).message; };
  CHECK(message(scale({Site::kContext, 3}, 0)) == "intervention on context: layer 3 is outside 0..2");
  CHECK(message(scale({Site::kContext, -1}, 0)) == "intervention on context: layer -1 is outside 0..2");
  CHECK(message(scale({Site::kHiddenStates, 4}, 0)) == "intervention on hidden_states: depth 4 is outside 0..3");
  CHECK(message(scale({Site::kEmbeddingSum, 1}, 0)) == "intervention on embedding_sum: layer 1 is outside 0..0");
  Intervention change = scale({Site::kContext, 0}, 0);
  change.head = 4;
  CHECK(message(change) == "intervention on context: head 4 is outside 0..3");
  change.head = {};
  change.position = 7;
  CHECK(message(change) == "intervention on context: position 7 is outside 0..6");
  change = scale({Site::kHiddenStates, 0}, 0);
  change.head = 0;
  CHECK(message(change) == "intervention on hidden_states: the site has no heads");
  change = scale({Site::kPooledOutput, 0}, 0);
  change.position = 0;
  CHECK(message(change) == "intervention on pooled_output: the site has no positions");
  CHECK(message(replace({Site::kAttentionProbs, 0}, Tensor<double>({7, 7}))) == "intervention on attention_probs: expected 196 values, found 49");
  CHECK(refusal(toy, replace({Site::kAttentionProbs, 0}, Tensor<double>({7, 7}))).code == ErrorCode::kBadShape);
  CHECK(refusal(toy, scale({Site::kContext, 0}, std::numeric_limits<double>::quiet_NaN())).code == ErrorCode::kNotFinite);
  Tensor<double> infinite({3});
  infinite(1) = std::numeric_limits<double>::infinity();
  CHECK(message(replace({Site::kClassLogits, 0}, infinite)) == "intervention on class_logits: value 1 must be finite, found inf");
  model::BertWeights headless = toy;
  headless.nsp.reset();
  CHECK(refusal(headless, scale({Site::kNspLogits, 0}, 2)).code == ErrorCode::kMissing);
}

}  // namespace
}  // namespace nullscope::test
