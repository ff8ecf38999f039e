// The pass itself: what it refuses, how it goes step by step, what the trace keeps.
#include <cstring>

#include "io/trace_bundle.h"
#include "support/small_model.h"
#include "support/toy.h"

namespace nullscope::test {
namespace {

using model::BertWeights, model::ModelInput, model::Site, model::TraceDetail;
using Pass = model::ForwardPass<float>;

bool same_numbers(const Tensor<float>& a, const Tensor<float>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(float)) == 0;
}

ModelInput toy_input(int tokens) {
  ModelInput input;
  for (int t = 0; t < tokens; ++t) input.ids.push_back(5 + t % 50);
  return input;
}

Error refusal(const ModelInput& input) {
  const Status status = model::check_input(toy_weights().config, input);
  REQUIRE(!status);
  return status.error();
}

TEST_CASE("inputs that are refused") {
  CHECK(refusal({}).message == "the input has no tokens");
  CHECK(refusal({{2, 61, 3}, {}, {}}).message == "token id 61 at position 1 is outside 0..60");
  CHECK(refusal({{-1}, {}, {}}).code == ErrorCode::kBadIndex);
  CHECK(refusal({{2, 3}, {0, 2}, {}}).message == "segment 2 at position 1 is outside 0..1");
  CHECK(refusal({{2, 3}, {0}, {}}).message == "expected one segment for each of 2 tokens, found 1");
  CHECK(refusal({{2, 3}, {}, {1, 1, 1}}).message == "expected one mask value for each of 2 tokens, found 3");
  CHECK(refusal({{2, 3}, {}, {1, 2}}).message == "mask value 2 at position 1 is outside 0..1");
  CHECK(refusal(toy_input(41)).code == ErrorCode::kTooLarge);
  CHECK(model::check_input(toy_weights().config, toy_input(40)));
  const auto pass = Pass::start(toy_weights(), {{61}, {}, {}}, {}, {});
  CHECK(!pass);
  TraceDetail detail = TraceDetail::everything();
  detail.mlm_positions = {3};
  const auto rows = Pass::start(toy_weights(), {{2, 3, 4}, {}, {}}, {}, detail);
  REQUIRE(!rows);
  CHECK(rows.error().message == "mlm_positions: 3 is outside 0..2");
}

TEST_CASE("a pass follows weights that arrive") {
  const ModelInput input = toy_input(9);
  BertWeights arriving;
  arriving.config = toy_weights().config;
  arriving.layers.resize(3);
  arriving.heads_pending = true;
  auto pass = Pass::start(arriving, input, {}, TraceDetail::everything());
  REQUIRE(pass);
  CHECK(!pass->can_step());
  CHECK(pass->waiting_for() == "the embeddings");
  arriving.embeddings = toy_weights().embeddings;
  arriving.embeddings.norm.beta = {};
  CHECK(!pass->can_step());
  arriving.embeddings = toy_weights().embeddings;
  REQUIRE(pass->can_step());
  CHECK(pass->step());
  for (int layer = 0; layer < 3; ++layer) {
    CHECK(!pass->can_step());
    CHECK(pass->waiting_for() == "layer " + std::to_string(layer));
    CHECK(pass->layers_done() == layer);
    arriving.layers[static_cast<size_t>(layer)] = toy_weights().layers[static_cast<size_t>(layer)];
    while (pass->layers_done() == layer) {
      REQUIRE(pass->can_step());
      REQUIRE(pass->step());
    }
  }
  CHECK(!pass->can_step());
  CHECK(!pass->finished());
  CHECK(pass->waiting_for() == "the heads");
  arriving = toy_weights();
  while (!pass->finished()) REQUIRE(pass->step());
  CHECK(!pass->can_step());
  const auto trace = std::move(*pass).take(), whole = forward_of<float>(toy_weights(), input);
  for (size_t depth = 0; depth < 4; ++depth) CHECK(same_numbers(trace.hidden_states[depth], whole.hidden_states[depth]));
  CHECK(same_numbers(trace.mlm_logits, whole.mlm_logits));
  CHECK(same_numbers(trace.class_logits, whole.class_logits));
}

TEST_CASE("a whole pass needs a whole model") {
  BertWeights weights = toy_weights();
  weights.layers[1] = {};
  const auto trace = model::forward<float>(weights, toy_input(4));
  REQUIRE(!trace);
  CHECK(trace.error().message == "layer 1 of the model must be loaded first");
}

TEST_CASE("a model without heads gives hidden states") {
  const BertWeights weights = random_model({.layers = 2, .heads = 2, .hidden = 8, .intermediate = 16, .vocabulary = 30, .positions = 12, .segments = 0, .layer_norm_eps = 1e-12, .activation = nn::Activation::kGelu, .labels = {}}, 1);
  const auto trace = forward_of<double>(weights, {{3, 4, 5}, {}, {}});
  CHECK(trace.hidden_states.size() == 3);
  CHECK(trace.mlm_logits.empty());
  CHECK(trace.pooled_output.empty());
  CHECK(trace.find(Site::kNspLogits, 0) == nullptr);
  // No segment table: nothing is added, and segment 1 does not exist.
  for (int64_t i = 0; i < trace.embedding_sum.size(); ++i)
    CHECK(trace.embedding_sum.data()[i] == trace.word_embedding.data()[i] + trace.position_embedding.data()[i]);
  CHECK(!model::check_input(weights.config, {{3, 4}, {0, 1}, {}}));
}

TEST_CASE("the trace keeps what was asked for") {
  const ModelInput input = toy_input(9);
  const auto whole = forward_of<float>(toy_weights(), input);
  const auto run = [&](const TraceDetail& detail) {
    auto trace = model::forward<float>(toy_weights(), input, {}, detail);
    REQUIRE(trace);
    return *std::move(trace);
  };
  for (size_t i = 0; i < model::kSiteCount; ++i) {  // each site alone
    const Site site = static_cast<Site>(i);
    CAPTURE(model::site_info(site).name);
    TraceDetail detail;
    detail.keep.set(i);
    const auto trace = run(detail);
    for (size_t j = 0; j < model::kSiteCount; ++j) {
      const Site other = static_cast<Site>(j);
      const bool kept = trace.find(other, 0) != nullptr;
      CHECK(kept == (i == j));
    }
    CHECK(same_numbers(*trace.find(site, 0), *whole.find(site, 0)));
    CHECK(same_numbers(trace.hidden_states.back(), whole.hidden_states.back()));
  }
  const auto last = run(TraceDetail::last_hidden_state());
  CHECK(last.hidden_states[2].empty());
  CHECK(same_numbers(last.hidden_states[3], whole.hidden_states[3]));
  TraceDetail rows = TraceDetail::everything();
  rows.mlm_positions = {7, 2};
  const auto some = run(rows);
  for (int64_t t = 0; t < 9; ++t)
    for (int64_t v = 0; v < 61; ++v) CHECK(some.mlm_logits(t, v) == (t == 7 || t == 2 ? whole.mlm_logits(t, v) : 0));
}

TEST_CASE("padding changes nothing for the tokens that are there") {
  ModelInput input = golden_input("toy/single");
  const auto alone = forward_of<double>(toy_weights(), input);
  const int64_t own = input.tokens();
  input.mask.assign(static_cast<size_t>(own), 1);
  const auto masked = forward_of<double>(toy_weights(), input);
  for (const int extra : {1, 5, 30}) {
    ModelInput padded = input;
    padded.ids.resize(static_cast<size_t>(own + extra), 0);
    padded.segments.resize(static_cast<size_t>(own + extra), 0);
    padded.mask.resize(static_cast<size_t>(own + extra), 0);
    const auto trace = forward_of<double>(toy_weights(), padded);
    for (size_t depth = 0; depth < 4; ++depth) {
      Tensor<double> rows({own, 24});
      std::copy_n(trace.hidden_states[depth].data(), rows.size(), rows.data());
      check_close("padded hidden_states", rows, alone.hidden_states[depth], kGoldenDouble);
      check_close("masked hidden_states", masked.hidden_states[depth], alone.hidden_states[depth], kGoldenDouble);
    }
    for (const auto& layer : trace.layers)
      for (int64_t h = 0; h < 4; ++h)
        for (int64_t q = 0; q < own; ++q)
          for (int64_t k = own; k < own + extra; ++k) CHECK(layer.attention_probs(h, q, k) == 0);
  }
}

TEST_CASE("more tokens than one piece takes") {
  const model::BertConfig config{.layers = 1, .heads = 2, .hidden = 8, .intermediate = 16, .vocabulary = 30, .positions = 300, .segments = 2, .layer_norm_eps = 1e-12, .activation = nn::Activation::kRelu, .labels = {}};
  const BertWeights weights = random_model(config, 2);
  for (const int tokens : {127, 128, 129, 257, 300}) {
    ModelInput input;
    for (int t = 0; t < tokens; ++t) input.ids.push_back(t * 7 % 30);
    const auto trace = forward_of<double>(weights, input);
    const model::LayerTrace<double>& at = trace.layers[0];
    Tensor<double> pre({tokens, 16}), out({tokens, 8});  // the same by plain loops
    const auto plain = [&](const model::LinearWeights& w, const Tensor<double>& x, Tensor<double>& y) {
      for (int64_t t = 0; t < tokens; ++t)
        for (int64_t o = 0; o < y.dim(1); ++o) {
          y(t, o) = static_cast<const double*>(w.bias.view().data)[o];
          for (int64_t i = 0; i < x.dim(1); ++i) y(t, o) += x(t, i) * static_cast<const double*>(w.weight.view().data)[o * x.dim(1) + i];
        }
    };
    plain(weights.layers[0].intermediate, at.attention_output, pre);
    plain(weights.layers[0].output, at.intermediate, out);
    check_close("intermediate_pre", at.intermediate_pre, pre, kGoldenDouble);
    check_close("ffn_output", at.ffn_output, out, kGoldenDouble);
    for (int64_t i = 0; i < pre.size(); ++i) CHECK(at.intermediate.data()[i] == std::max(at.intermediate_pre.data()[i], 0.0));
  }
}

TEST_CASE("threads change nothing") {
  const ModelInput input = toy_input(40);
  const nn::Parallel three(3);
  auto threaded = model::forward<float>(toy_weights(), input, {}, TraceDetail::everything(), &three);
  REQUIRE(threaded);
  const auto alone = forward_of<float>(toy_weights(), input);
  CHECK(same_numbers(threaded->hidden_states.back(), alone.hidden_states.back()));
  CHECK(same_numbers(threaded->mlm_logits, alone.mlm_logits));
}

TEST_CASE("numbers beyond float32 are named, not shown") {
  BertWeights weights = toy_weights();
  const auto huge = [](int64_t count) {
    Tensor<double> numbers({count});
    std::fill(numbers.data(), numbers.data() + count, 1e300);
    return weight_of(numbers);
  };
  weights.layers[1].output_norm.beta = huge(24);
  const auto trace = model::forward<float>(weights, toy_input(5));
  REQUIRE(!trace);
  CHECK(trace.error().code == ErrorCode::kNotFinite);
  CHECK(trace.error().message.starts_with("hidden_states[2] "));
  weights = toy_weights();
  weights.classifier->bias = huge(3);
  const auto classes = model::forward<float>(weights, toy_input(5));
  REQUIRE(!classes);
  CHECK(classes.error().message.starts_with("class_logits "));
}

}  // namespace
}  // namespace nullscope::test
