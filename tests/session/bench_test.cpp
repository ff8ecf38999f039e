// Checksums of BERT-Base against an independent implementation in float64 (checksums.json holds
// its projections for two texts).
#include <cmath>

#include "session/bench.h"
#include "support/files.h"
#include "support/model_paths.h"
#include "support/tolerances.h"

using namespace nullscope;
using namespace nullscope::test;

namespace {

double deviation(const session::Checksum& found, const nlohmann::json& expected) {
  return session::checksum_distance(found, expected["checksum"].get<session::Checksum>()) / expected["rms"].get<double>();
}

void check_checksums(Storage storage, double tolerance) {
  const nlohmann::json reference = read_json("session/checksums.json");
  for (const auto& [tokens, expected] : reference.items()) {
    CAPTURE(tokens);
    const model::ModelInput input{expected["ids"].get<std::vector<int>>(), expected["segments"].get<std::vector<int>>(), {}};
    for (const session::BenchMode mode : {session::BenchMode::kForward, session::BenchMode::kForwardAll}) {
      const auto result = session::run_bench(base_weights(storage), input, mode, 2, 1, nn::Parallel(1));
      REQUIRE_MESSAGE(result, result.error().message);
      CHECK(result->milliseconds.size() == 2);
      CHECK(deviation(result->last_hidden_state, expected["forward"]) < tolerance);
      CHECK(result->attention_probs.has_value() == (mode == session::BenchMode::kForwardAll));
      if (result->attention_probs) CHECK(deviation(*result->attention_probs, expected["attention"]) < tolerance);
    }
  }
}

}  // namespace

TEST_CASE("fp32 weights give the reference's checksums") { check_checksums(Storage::kF32, kChecksumFloat); }
TEST_CASE("fp16 weights give them as nearly as fp16 can") { check_checksums(Storage::kF16, kChecksumHalf); }

TEST_CASE("the checksum sees one token that is 2 % off") {
  std::vector<float> field(16 * 768, 0.5F), damaged = field;
  for (size_t i = 5 * 768; i < 6 * 768; ++i) damaged[i] *= 1.02F;
  const session::Checksum a = session::checksum(std::span<const float>(field)), b = session::checksum(std::span<const float>(damaged));
  CHECK(session::checksum_distance(a, b) / 0.5 > kChecksumHalf);
}

TEST_CASE("a wrong input is an error, not a time") {
  CHECK(session::run_bench(base_weights(Storage::kF16), {{1 << 20}, {}, {}}, session::BenchMode::kForward, 1, 0, nn::Parallel(1)).error().code == ErrorCode::kBadIndex);
  CHECK_FALSE(session::bench_mode_from_name("vjp").has_value());
}
