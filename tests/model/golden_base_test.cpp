// BERT-Base uncased on the texts b1 to b4 in float32, against float64 numbers of the
// independent implementation (fp32 weights), and the published guesses with both storages.
#include "io/trace_bundle.h"
#include "model/forward.h"
#include "model/predictions.h"
#include "support/golden.h"
#include "support/model_paths.h"

namespace nullscope::test {
namespace {

constexpr const char* kTexts[] = {"b1", "b2", "b3", "b4"};
constexpr int kHer = 2014, kHis = 2010;

model::ForwardTrace<float> run(Storage storage, const std::string& text) {
  auto trace = model::forward<float>(base_weights(storage), golden_input("base/" + text));
  REQUIRE_MESSAGE(trace, trace.error().message);
  return *std::move(trace);
}

Tensor<double> tensor_of(const std::vector<double>& values) {
  Tensor<double> out({static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

// Per depth: mean and L2 norm over all T x C numbers, largest absolute value and its channel.
TensorBundle summaries(const model::ForwardTrace<float>& trace) {
  std::vector<double> mean, norm, largest;
  Tensor<int64_t> channel({static_cast<int64_t>(trace.hidden_states.size())});
  for (size_t depth = 0; depth < trace.hidden_states.size(); ++depth) {
    const Tensor<float>& hidden = trace.hidden_states[depth];
    double sum = 0, squares = 0, best = 0;
    for (int64_t i = 0; i < hidden.size(); ++i) {
      const double x = static_cast<double>(hidden.data()[i]);
      sum += x;
      squares += x * x;
      if (std::abs(x) > best) {
        best = std::abs(x);
        channel(static_cast<int64_t>(depth)) = i % hidden.dim(1);
      }
    }
    mean.push_back(sum / static_cast<double>(hidden.size()));
    norm.push_back(std::sqrt(squares));
    largest.push_back(best);
  }
  TensorBundle bundle;
  bundle.tensors.emplace("hidden_states.mean", AnyTensor::from(tensor_of(mean)));
  bundle.tensors.emplace("hidden_states.l2_norm", AnyTensor::from(tensor_of(norm)));
  bundle.tensors.emplace("hidden_states.channel_max_abs", AnyTensor::from(tensor_of(largest)));
  bundle.tensors.emplace("hidden_states.channel_argmax", AnyTensor::from(channel));
  return bundle;
}

// Probability of each token at one position.
std::vector<double> probabilities(const Tensor<float>& logits, int64_t position) {
  std::vector<double> out;
  double sum = 0, largest = -INFINITY;
  for (int64_t v = 0; v < logits.dim(1); ++v) largest = std::max(largest, static_cast<double>(logits(position, v)));
  for (int64_t v = 0; v < logits.dim(1); ++v) {
    out.push_back(std::exp(static_cast<double>(logits(position, v)) - largest));
    sum += out.back();
  }
  for (double& p : out) p /= sum;
  return out;
}

// [difference, probability, logit, probability_b] of the two tokens of the text.
Tensor<double> target_values(const model::ForwardTrace<float>& trace, const nlohmann::json& input) {
  const int64_t position = input["position"], a = input["token_a"], b = input["token_b"];
  const std::vector<double> p = probabilities(trace.mlm_logits, position);
  const auto logit = [&](int64_t token) { return static_cast<double>(trace.mlm_logits(position, token)); };
  return tensor_of({logit(a) - logit(b), p[static_cast<size_t>(a)], logit(a), p[static_cast<size_t>(b)]});
}

void check_text(const std::string& text) {
  const nlohmann::json input = read_json("golden/base/" + text + "/input.json");
  const TensorBundle expected = golden("base/" + text + "/forward");
  const model::ForwardTrace<float> trace = run(Storage::kF32, text);
  TensorBundle found = io::trace_bundle(trace);
  found.tensors.merge(summaries(trace).tensors);
  const model::TopPredictions top = model::top_predictions(trace.mlm_logits, 10);
  found.tensors.emplace("mlm.top10_ids", AnyTensor::from(top.ids));
  found.tensors.emplace("mlm.top10_probabilities", AnyTensor::from(top.probabilities));
  found.tensors.emplace("target_values", AnyTensor::from(target_values(trace, input)));
  for (const auto& [name, tensor] : expected.tensors) {
    const std::string where = text + " " + name, site = name.substr(0, name.find('.'));
    if (tensor.dtype == Dtype::kI64) {
      check_equal(where, integers(found, name), tensor.to_int().value());
      continue;
    }
    const Tensor<double> reference = tensor.to_double().value();
    Tensor<double> ours;
    if (name.ends_with(".layers_0_5_11")) {
      ours = rows_of(numbers(found, site), {0, 5, 11});
    } else if (name == "hidden_states.positions") {
      ours = Tensor<double>(reference.shape());
      const std::vector<int> positions = input["positions"];
      for (size_t depth = 0; depth < trace.hidden_states.size(); ++depth)
        for (size_t i = 0; i < positions.size(); ++i)
          std::copy_n(trace.hidden_states[depth].block(positions[i]), reference.dim(2),
                      ours.block(static_cast<int64_t>(depth)) + static_cast<int64_t>(i) * reference.dim(2));
    } else if (name == "mlm_logits.target_position") {
      ours = rows_of(numbers(found, site), {input["position"].get<int>()});
      ours = tensor_of({ours.data(), ours.data() + ours.size()});
    } else {
      ours = numbers(found, name);
    }
    check_close(where, ours, reference, float_tolerance(site == "mlm" ? name : site, GoldenModel::kBase));
  }
}

TEST_CASE("BERT-Base, fp32 weights: forward sites of b1 to b4") {
  for (const char* text : kTexts) check_text(text);
}

TEST_CASE("BERT-Base: published guesses for 'The author talked to Sara about [MASK] book'") {
  for (const Storage storage : {Storage::kF32, Storage::kF16}) {
    const model::ForwardTrace<float> trace = run(storage, "b1");
    const std::vector<double> p = probabilities(trace.mlm_logits, 7);
    if (storage == Storage::kF32) {
      CHECK(std::abs(p[kHis] - .0700) <= kPublishedProbability);
      CHECK(std::abs(p[kHer] - .1019) <= kPublishedProbability);
    } else {
      CHECK(std::abs(p[kHis] / .0700 - 1) <= kHalfProbability);
      CHECK(std::abs(p[kHer] / .1019 - 1) <= kHalfProbability);
    }
    const model::TopPredictions top = model::top_predictions(trace.mlm_logits, 1);
    const std::vector<int64_t> ids(top.ids.values().begin(), top.ids.values().end());
    CHECK(ids == std::vector<int64_t>{1012, 1996, 3166, 5720, 2000, 7354, 2055, 1996, 1012, 1012});
  }
}

}  // namespace
}  // namespace nullscope::test
