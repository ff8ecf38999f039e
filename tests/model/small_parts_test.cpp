// Names of sites, and guesses from logits, by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "model/predictions.h"
#include "model/sites.h"

namespace nullscope::test {
namespace {

TEST_CASE("site names go both ways") {
  for (size_t i = 0; i < model::kSiteCount; ++i) {
    const auto site = static_cast<model::Site>(i);
    CHECK(model::site_from_name(model::site_info(site).name) == site);
  }
  CHECK(model::site_from_name("attention_probs") == model::Site::kAttentionProbs);
  CHECK(!model::site_from_name("attention"));
  CHECK(!model::site_from_name(""));
}

TEST_CASE("the likeliest words") {
  Tensor<double> logits({2, 4});
  const double rows[] = {0, std::log(2), 0, std::log(4), 1e4, 1e4, -1e4, 0};
  std::copy(std::begin(rows), std::end(rows), logits.data());
  const model::TopPredictions top = model::top_predictions(logits, 3);
  const std::vector<int64_t> ids(top.ids.values().begin(), top.ids.values().end());
  CHECK(ids == std::vector<int64_t>{3, 1, 0, 0, 1, 3});  // the smaller id on ties
  CHECK(top.probabilities(0, 0) == doctest::Approx(.5));
  CHECK(top.probabilities(0, 1) == doctest::Approx(.25));
  CHECK(top.probabilities(0, 2) == doctest::Approx(.125));
  CHECK(top.probabilities(1, 0) == doctest::Approx(.5));
  CHECK(top.probabilities(1, 2) == 0);
  CHECK(model::top_predictions(logits, 9).ids.dim(1) == 4);
}

}  // namespace
}  // namespace nullscope::test
