// tests/cases/checks.json: what the forward pass alone decides. Gradients, integrated
// gradients and statistics are checked where they are computed.
#include "io/model_sources.h"
#include "model/forward.h"
#include "support/golden.h"

namespace nullscope::test {
namespace {

using Json = nlohmann::json;

Json check(const std::string& id) {
  const Json checks = read_case_json("checks.json");
  for (const Json& item : checks["cases"])
    if (item["id"] == id) return item;
  FAIL("no check " << id);
  return {};
}

model::BertWeights weights_of(const Json& item) {
  const auto within = [&](const char* key) { return item[key].get<std::string>().substr(std::string("weights/").size()); };
  auto loaded = io::load_model(source_of(case_files(within("weights"), within("config"))));
  REQUIRE_MESSAGE(loaded, loaded.error().message);
  return std::move(loaded->weights);
}

model::ForwardTrace<float> run(const model::BertWeights& weights, const model::ModelInput& input, const model::Interventions& changes = {}) {
  auto trace = model::forward<float>(weights, input, changes);
  REQUIRE_MESSAGE(trace, trace.error().message);
  return *std::move(trace);
}

void flattened(const Json& json, std::vector<double>& out) {
  if (json.is_array())
    for (const Json& part : json) flattened(part, out);
  else
    out.push_back(json.get<double>());
}

void check_numbers(std::span<const float> found, const Json& expected, double tolerance) {
  std::vector<double> numbers;
  flattened(expected, numbers);
  REQUIRE(found.size() == numbers.size());
  double worst = 0;
  for (size_t i = 0; i < numbers.size(); ++i) worst = std::max(worst, std::abs(static_cast<double>(found[i]) - numbers[i]));
  CHECK(worst <= tolerance);
}

TEST_CASE("A-rows: attention has a row for each token that looks") {
  const Json item = check("A-rows");
  const auto trace = run(weights_of(item), {item["ids"], {}, {}});
  const Tensor<float>& probs = trace.layers[item["layer"].get<size_t>()].attention_probs;
  check_numbers(probs.values(), item["attention"], item["tolerance"]);
}

TEST_CASE("A-heads: each head's part of the attention output") {
  const Json item = check("A-heads");
  const model::BertWeights weights = weights_of(item);
  const int layer = item["layer"];
  const model::ModelInput input{item["ids"], {}, {}};
  std::vector<float> bias(static_cast<size_t>(weights.config.hidden));
  nn::widen_row(weights.layers[static_cast<size_t>(layer)].self_output.bias.view(), 0, bias.data());
  check_numbers(run(weights, input).layers[static_cast<size_t>(layer)].self_output.values(), item["total"], item["tolerance"]);
  for (int head = 0; head < weights.config.heads; ++head) {
    model::Interventions others;  // what is left of the output without them is this head's part
    for (int other = 0; other < weights.config.heads; ++other)
      if (other != head)
        others.push_back({model::Site::kContext, layer, other, {}, model::Intervention::Kind::kScale, 0, {}});
    Tensor<float> part = run(weights, input, others).layers[static_cast<size_t>(layer)].self_output;
    for (int64_t i = 0; i < part.size(); ++i) part.data()[i] -= bias[static_cast<size_t>(i) % bias.size()];
    check_numbers(part.values(), item["per_head"][static_cast<size_t>(head)], item["tolerance"]);
  }
}

TEST_CASE("A-pair: the second text takes segment row 1") {
  const Json item = check("A-pair");
  const model::BertWeights weights = weights_of(item);
  check_numbers(run(weights, {item["ids"], item["type_ids"], {}}).nsp_logits.values(), item["nsp"], item["tolerance"]);
  check_numbers(run(weights, {item["ids"], {}, {}}).nsp_logits.values(), item["nsp_if_all_zero"], item["tolerance"]);
}

TEST_CASE("A-batch: a text alone and padded to a longer one") {
  const Json item = check("A-batch");
  const model::BertWeights weights = weights_of(item);
  model::ModelInput input{item["batch"][0]["ids"], {}, {}};
  check_numbers(run(weights, input).hidden_states.back().values(), item["first_last_hidden"], item["tolerance"]);
  const auto own = static_cast<size_t>(input.tokens());
  const size_t longest = item["batch"][1]["ids"].size();
  input.mask.assign(own, 1);
  input.mask.resize(longest, 0);
  input.ids.resize(longest, 0);
  const Tensor<float> padded = run(weights, input).hidden_states.back();
  check_numbers(padded.values().first(own * static_cast<size_t>(weights.config.hidden)), item["first_last_hidden"], item["tolerance"]);
}

}  // namespace
}  // namespace nullscope::test
