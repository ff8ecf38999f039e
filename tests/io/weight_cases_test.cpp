// tests/cases/weights/expected.json, every case: outcome, message, warnings, numbers.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstring>

#include "io/model_sources.h"
#include "model/forward.h"
#include "support/largest_allocation.h"
#include "support/tolerances.h"

namespace nullscope::test {
namespace {

using Json = nlohmann::json;
using Trace = model::ForwardTrace<float>;

struct Cases {
  Json expected = read_case_json("weights/expected.json");
  Json numeric = read_case_json("weights/numeric.json");
};

model::ModelInput input_of(const Json& run) {
  model::ModelInput input;
  input.ids = run.at("ids").get<std::vector<int>>();
  if (run.contains("type_ids")) input.segments = run["type_ids"].get<std::vector<int>>();
  if (run.contains("mask")) input.mask = run["mask"].get<std::vector<int>>();
  return input;
}

double worst(std::span<const float> found, const Json& expected) {
  if (found.size() != expected.size()) return INFINITY;
  double difference = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double gap = std::abs(static_cast<double>(found[i]) - expected[i].get<double>());
    difference = std::isfinite(gap) ? std::max(difference, gap) : INFINITY;
  }
  return difference;
}

bool same_bits(const Tensor<float>& a, const Tensor<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * 4) == 0);
}

bool all_finite(const Trace& trace) {
  for (const Tensor<float>& rows : trace.hidden_states)
    for (const float v : rows.values())
      if (!std::isfinite(v)) return false;
  return true;
}

class OneCase {
 public:
  OneCase(const Cases& cases, const Json& expected) : cases_(cases), expected_(expected) {}

  void check() {
    const std::string config = expected_["config"].is_null() ? "" : expected_["config"].get<std::string>();
    FileMap files = case_files(expected_["weights"], config);
    if (!expected_.contains("inferred")) files["vocab.txt"] = read_case("weights/base_vocab.txt");
    const io::FileSource source = source_of(files);

    reset_largest_allocation();
    const auto begin = std::chrono::steady_clock::now();
    auto loaded = io::load_model(source);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const size_t largest = largest_allocation();

    const std::string outcome = expected_["outcome"];
    CHECK_MESSAGE((loaded ? outcome != "refused" : outcome != "loads"),
                  (loaded ? std::string("loaded") : loaded.error().message));
    if (loaded) {
      model_ = &*loaded;
      check_loaded();
      return;
    }
    CHECK(time.count() < 1.0);
    if (expected_.contains("must_name"))
      CHECK_MESSAGE(names_all(loaded.error().message, expected_["must_name"]), loaded.error().message);
    // The files themselves are below 100 kB, what is made of them is a few times that.
    if (expected_.contains("no_large_allocation")) CHECK(largest < size_t{4} << 20);
  }

 private:
  void check_loaded() {
    const io::LoadReport& report = model_->report;
    if (expected_.contains("warn")) {
      std::string all;
      for (const std::string& warning : report.warnings) all += warning + "\n";
      CHECK_MESSAGE(names_all(all, expected_["warn"]), all);
    }
    const auto off = [&](const char* part) {
      for (const Json& name : expected_.value("unavailable", Json::array()))
        if (name == part) return true;
      return false;
    };
    CHECK((off("mlm") ? !model_->weights.mlm && !report.no_mlm.empty() : report.no_mlm.empty()));
    CHECK((off("nsp") ? !model_->weights.nsp && !report.no_nsp.empty() : report.no_nsp.empty()));
    CHECK((off("pooled") ? !model_->weights.pooler && !report.no_pooler.empty() : report.no_pooler.empty()));
    if (expected_.contains("classes")) {
      const auto& classifier = model_->weights.classifier;
      CHECK((classifier && classifier->weight.rows() == expected_["classes"].get<int>()));
    }
    if (expected_.contains("inferred")) check_inferred();
    check_runs();
  }

  void check_inferred() {
    const model::BertConfig& c = model_->weights.config;
    CHECK(model_->report.config_guessed);
    const Json found = {{"hidden_size", c.hidden},
                        {"num_attention_heads", c.heads},
                        {"num_hidden_layers", c.layers},
                        {"intermediate_size", c.intermediate},
                        {"vocab_size", c.vocabulary},
                        {"max_position_embeddings", c.positions},
                        {"type_vocab_size", c.segments}};
    CHECK(found == expected_["inferred"]);
  }

  Result<Trace> run(const std::string& name) const {
    return model::forward<float>(model_->weights, input_of(cases_.expected["runs"][name]));
  }

  void check_runs() {
    if (expected_.contains("equals")) compare(cases_.numeric[expected_["equals"].get<std::string>()]);
    if (expected_.contains("numeric")) compare(cases_.numeric[expected_["numeric"].get<std::string>()]);
    const Json chosen = expected_.value("equals_runs", Json::object());
    for (const auto& [name, key] : chosen.items())
      compare_run(name, cases_.numeric[key.get<std::string>()][name]);
    for (const Json& name : expected_.value("refuse_runs", Json::array())) CHECK_FALSE(run(name).has_value());
    for (const Json& name : expected_.value("finite_runs", Json::array())) {
      const auto trace = run(name);
      CHECK((trace && all_finite(*trace)));
    }
    // Either is fine, as long as nothing odd is computed.
    for (const char* key : {"refuse_or_clamp_runs", "refuse_or_empty_runs"})
      for (const Json& name : expected_.value(key, Json::array()))
        if (const auto trace = run(name)) CHECK(all_finite(*trace));
    if (expected_.contains("rows_equal")) check_rows_equal(expected_["rows_equal"]);
  }

  void check_rows_equal(const Json& rule) {
    const auto a = run(rule["run"]), b = run(rule["to"]);
    CHECK((a && b));
    if (!a || !b) return;
    const int64_t count = rule["rows"].get<int64_t>() * a->hidden_states.back().dim(1);
    for (int64_t i = 0; i < count; ++i)
      CHECK(std::abs(a->hidden_states.back().data()[i] - b->hidden_states.back().data()[i]) <=
            rule["tolerance"].get<double>());
  }

  void compare(const Json& runs) {
    CHECK_FALSE(runs.empty());
    for (const auto& [name, numbers] : runs.items()) compare_run(name, numbers);
  }

  void compare_run(const std::string& name, const Json& numbers) {
    CAPTURE(name);
    const auto trace = run(name);
    CHECK_MESSAGE(trace.has_value(), trace.error().message);
    if (!trace) return;
    const double given = expected_["tolerance"].get<double>();
    const double tolerance = given == 0 ? kCaseAbsolute : given;
    const Tensor<float>& last = trace->hidden_states.back();
    const int64_t rows = expected_.value("rows", last.dim(0));
    CHECK(numbers["last_hidden"].size() >= static_cast<size_t>(rows));
    for (int64_t row = 0; row < rows; ++row)
      CHECK(worst({last.block(row), static_cast<size_t>(last.dim(1))}, numbers["last_hidden"][static_cast<size_t>(row)]) <=
            tolerance);
    if (numbers.contains("pooled") && model_->weights.pooler)
      CHECK(worst(trace->pooled_output.values(), numbers["pooled"]) <= tolerance);
    if (numbers.contains("nsp") && model_->weights.nsp)
      CHECK(worst(trace->nsp_logits.values(), numbers["nsp"]) <= tolerance);
    if (numbers.contains("mlm") && model_->weights.mlm) {
      const int64_t row = numbers["mlm_position"].get<int64_t>();
      CHECK(worst({trace->mlm_logits.block(row), static_cast<size_t>(trace->mlm_logits.dim(1))}, numbers["mlm"]) <=
            tolerance);
    }
    if (given == 0) compare_with_base(name, *trace);
  }

  void compare_with_base(const std::string& name, const Trace& trace) {
    const auto base = io::load_model(source_of(case_files("base.safetensors", "base.json")));
    const auto same = base ? model::forward<float>(base->weights, input_of(cases_.expected["runs"][name]))
                           : Result<Trace>(std::unexpected(base.error()));
    CHECK(same.has_value());
    if (!same) return;
    CHECK(same_bits(trace.hidden_states.back(), same->hidden_states.back()));
    if (model_->weights.pooler) CHECK(same_bits(trace.pooled_output, same->pooled_output));
    if (model_->weights.nsp) CHECK(same_bits(trace.nsp_logits, same->nsp_logits));
    if (model_->weights.mlm) CHECK(same_bits(trace.mlm_logits, same->mlm_logits));
  }

  const Cases& cases_;
  const Json& expected_;
  const io::LoadedModel* model_ = nullptr;
};

}  // namespace

TEST_CASE("weight cases: every file loads or is refused as expected") {
  const Cases cases;
  size_t checked = 0;
  for (const Json& expected : cases.expected["cases"]) {
    const std::string id = expected["id"], note = expected["note"];
    CAPTURE(id);
    CAPTURE(note);
    OneCase(cases, expected).check();
    ++checked;
  }
  CHECK(checked == 246);
}

}  // namespace nullscope::test
