// Every site of the toy model on its four texts, in double and in float32.
#include "io/trace_bundle.h"
#include "support/toy.h"

namespace nullscope::test {
namespace {

template <class S>
void check_forward(const std::string& text, double fixed_tolerance) {
  const TensorBundle expected = golden("toy/" + text + "/forward");
  const TensorBundle found = io::trace_bundle(toy_trace<S>(text));
  CHECK(found.tensors.size() == model::kSiteCount);
  CHECK(expected.tensors.size() == model::kSiteCount);
  for (const auto& [name, tensor] : expected.tensors) {
    const double tolerance = fixed_tolerance > 0 ? fixed_tolerance : float_tolerance(name, GoldenModel::kToy);
    check_close(text + " " + name, numbers(found, name), tensor.to_double().value(), tolerance);
  }
}

TEST_CASE("toy: every forward site in double") {
  for (const char* text : kToyTexts) check_forward<double>(text, kGoldenDouble);
}

TEST_CASE("toy: every forward site in float32") {
  for (const char* text : kToyTexts) check_forward<float>(text, 0);
}

}  // namespace
}  // namespace nullscope::test
