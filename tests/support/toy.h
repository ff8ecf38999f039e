// The small seeded BERT of tests/golden/toy and its four texts.
#pragma once

#include "io/folder.h"
#include "io/model_files.h"
#include "model/forward.h"
#include "support/golden.h"

namespace nullscope::test {

inline constexpr const char* kToyTexts[] = {"short", "single", "pair", "long"};

inline const model::BertWeights& toy_weights() {
  static const Result<io::LoadedModel> toy = io::load_model(io::folder_source(data_path("golden/toy")));
  REQUIRE_MESSAGE(toy, toy.error().message);
  return toy->weights;
}

template <class S>
model::ForwardTrace<S> forward_of(const model::BertWeights& weights, const model::ModelInput& input,
                                  const model::Interventions& interventions = {}) {
  Result<model::ForwardTrace<S>> trace = model::forward<S>(weights, input, interventions);
  REQUIRE_MESSAGE(trace, trace.error().message);
  return *std::move(trace);
}

template <class S>
model::ForwardTrace<S> toy_trace(const std::string& text) {
  return forward_of<S>(toy_weights(), golden_input("toy/" + text));
}

}  // namespace nullscope::test
