// Naive token identity of BERT-Base on b1 to b4, fp32 weights.
#include "model/forward.h"
#include "probe/golden_identity.h"
#include "support/model_paths.h"

namespace nullscope::test {
namespace {

TEST_CASE("BERT-Base: token identity of b1 to b4") {
  for (const char* text : {"base/b1", "base/b2", "base/b3", "base/b4"}) {
    const auto trace = model::forward<float>(base_weights(Storage::kF32), golden_input(text), {}, model::TraceDetail::attention_views());
    REQUIRE_MESSAGE(trace, trace.error().message);
    check_identity(*trace, text, float_tolerance("token_identity.distance", GoldenModel::kBase),
                   float_tolerance("token_identity.rate", GoldenModel::kBase));
  }
}

}  // namespace
}  // namespace nullscope::test
