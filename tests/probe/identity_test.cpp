// Token identity on numbers done by hand.
#include <doctest/doctest.h>

#include "probe/token_identity.h"

namespace nullscope::test {
namespace {

using probe::IdentityDistance, probe::IdentityInput;

// Two tokens of two channels, one layer: depth 1 has them swapped and the first one scaled.
model::ForwardTrace<float> swapped() {
  model::ForwardTrace<float> trace;
  trace.input.ids = {0, 1};
  trace.hidden_states.assign(2, Tensor<float>({2, 2}));
  trace.hidden_states[0](0, 0) = 1;  // (1, 0)
  trace.hidden_states[0](1, 1) = 1;  // (0, 1)
  trace.hidden_states[1](0, 1) = 3;  // (0, 3)
  trace.hidden_states[1](1, 0) = 1;  // (1, 0)
  return trace;
}

TEST_CASE("token identity by hand") {
  const auto cosine = probe::token_identity(swapped(), IdentityInput::kAfterLayerNorm, IdentityDistance::kCosine);
  REQUIRE(cosine);
  CHECK(cosine->rate == std::vector<double>{1, 0});
  CHECK(cosine->nearest(1, 0) == 1);
  CHECK(cosine->nearest(1, 1) == 0);
  CHECK(cosine->distance(1, 0) == 0);
  const auto l2 = probe::token_identity(swapped(), IdentityInput::kAfterLayerNorm, IdentityDistance::kL2);
  REQUIRE(l2);
  CHECK(l2->distance(1, 0) == 2);  // (0, 3) to (0, 1)
  CHECK(l2->distance(1, 1) == 0);
}

TEST_CASE("the smallest position wins a tie") {
  model::ForwardTrace<float> trace = swapped();
  trace.hidden_states[1](0, 0) = trace.hidden_states[1](0, 1);
  for (const auto distance : {IdentityDistance::kCosine, IdentityDistance::kL2}) {
    const auto found = probe::token_identity(trace, IdentityInput::kAfterLayerNorm, distance);
    REQUIRE(found);
    CHECK(found->nearest(1, 0) == 0);
  }
}

TEST_CASE("token identity needs its sites") {
  const auto before = probe::token_identity(swapped(), IdentityInput::kBeforeLayerNorm, IdentityDistance::kCosine);
  REQUIRE(!before);
  CHECK(before.error().code == ErrorCode::kMissing);
  CHECK(before.error().message.find("embedding_sum") != std::string::npos);
  model::ForwardTrace<float> trace = swapped();
  trace.hidden_states[1] = Tensor<float>();
  const auto hidden = probe::token_identity(trace, IdentityInput::kAfterLayerNorm, IdentityDistance::kL2);
  REQUIRE(!hidden);
  CHECK(hidden.error().message.find("hidden_states[1]") != std::string::npos);
}

}  // namespace
}  // namespace nullscope::test
