// Token identity of a trace against a stored case, both candidate sets and distances.
#pragma once

#include "probe/token_identity.h"
#include "support/golden.h"

namespace nullscope::test {

template <class S>
void check_identity(const model::ForwardTrace<S>& trace, const std::string& path, double distance_tolerance, double rate_tolerance) {
  using probe::IdentityDistance, probe::IdentityInput;
  const TensorBundle expected = golden(path + "/maps");
  for (const auto& [input, candidates] : {std::pair(IdentityInput::kBeforeLayerNorm, "embedding_sum"),
                                          std::pair(IdentityInput::kAfterLayerNorm, "hidden_states_0")})
    for (const auto& [distance, measure] : {std::pair(IdentityDistance::kCosine, "cosine"), std::pair(IdentityDistance::kL2, "l2")}) {
      const std::string name = std::string("token_identity.") + candidates + "." + measure;
      const auto found = probe::token_identity(trace, input, distance);
      REQUIRE_MESSAGE(found, found.error().message);
      Tensor<double> rate({static_cast<int64_t>(found->rate.size())});
      std::copy(found->rate.begin(), found->rate.end(), rate.data());
      check_equal(path + " " + name, found->nearest, integers(expected, name + ".nearest"));
      check_close(path + " " + name + ".distance", found->distance, numbers(expected, name + ".distance"), distance_tolerance);
      check_close(path + " " + name + ".rate", rate, numbers(expected, name + ".rate"), rate_tolerance);
    }
}

}  // namespace nullscope::test
