// Naive token identity of the toy model's four texts.
#include "probe/golden_identity.h"
#include "support/toy.h"

namespace nullscope::test {
namespace {

TEST_CASE("toy: token identity in double") {
  for (const char* text : kToyTexts)
    check_identity(toy_trace<double>(text), std::string("toy/") + text, kGoldenDouble, kGoldenDouble);
}

TEST_CASE("toy: token identity of a float32 trace") {
  for (const char* text : kToyTexts)
    check_identity(toy_trace<float>(text), std::string("toy/") + text, float_tolerance("token_identity.distance", GoldenModel::kToy),
                   float_tolerance("token_identity.rate", GoldenModel::kToy));
}

}  // namespace
}  // namespace nullscope::test
