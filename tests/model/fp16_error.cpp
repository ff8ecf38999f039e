// What fp16 storage of the weights does to each site of BERT-Base: the table of weights/README.md.
//
//   fp16_error FP32_FOLDER FP16_FOLDER
//
// Both models run in double arithmetic on b1 to b4 of tests/golden/base, so that the difference
// is the storage's alone. For a site and layer, rms relative = rms(x16 - x32) / rms(x32), max
// relative = max|x16 - x32| / max|x32|; the table gives the largest over layers and texts.
#define DOCTEST_CONFIG_IMPLEMENT  // golden.h checks what it reads
#include <cmath>
#include <cstdio>

#include "io/folder.h"
#include "io/model_files.h"
#include "model/forward.h"
#include "model/predictions.h"
#include "support/golden.h"

using namespace nullscope;

namespace {

struct SiteError {
  double rms = 0, max = 0;
  bool seen = false;

  void add(const Tensor<double>& half, const Tensor<double>& full) {
    double gaps = 0, squares = 0, gap = 0, largest = 0;
    for (int64_t i = 0; i < full.size(); ++i) {
      const double d = half.data()[i] - full.data()[i], x = full.data()[i];
      gaps += d * d;
      squares += x * x;
      gap = std::max(gap, std::abs(d));
      largest = std::max(largest, std::abs(x));
    }
    if (squares == 0) return;
    seen = true;
    rms = std::max(rms, std::sqrt(gaps / squares));
    max = std::max(max, gap / largest);
  }
};

Result<model::BertWeights> weights_in(const char* folder) {
  auto loaded = io::load_model(io::folder_source(folder));
  if (!loaded) return std::unexpected(loaded.error());
  return std::move(loaded->weights);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  doctest::Context checks;
  checks.setAsDefaultForAssertsOutOfTestCases();
  const auto full = weights_in(argv[1]), half = weights_in(argv[2]);
  if (!full || !half) {
    std::fprintf(stderr, "%s\n", (full ? half : full).error().message.c_str());
    return 1;
  }
  SiteError errors[model::kSiteCount];
  double logit = 0, probability = 0;
  int64_t guesses = 0, moved = 0;
  for (const char* text : {"base/b1", "base/b2", "base/b3", "base/b4"}) {
    const model::ModelInput input = test::golden_input(text);
    const auto exact = model::forward<double>(*full, input), stored = model::forward<double>(*half, input);
    if (!exact || !stored) return 1;
    for (size_t i = 0; i < model::kSiteCount; ++i)
      for (int index = 0; index <= full->config.layers; ++index) {
        const auto site = static_cast<model::Site>(i);
        if (const Tensor<double>* x = exact->find(site, index)) errors[i].add(*stored->find(site, index), *x);
      }
    for (int64_t i = 0; i < exact->mlm_logits.size(); ++i)
      logit = std::max(logit, std::abs(stored->mlm_logits.data()[i] - exact->mlm_logits.data()[i]));
    const auto a = model::top_predictions(exact->mlm_logits, 1), b = model::top_predictions(stored->mlm_logits, 1);
    for (int64_t t = 0; t < a.ids.size(); ++t, ++guesses) {
      moved += a.ids.data()[t] != b.ids.data()[t];
      probability = std::max(probability, std::abs(a.probabilities.data()[t] - b.probabilities.data()[t]));
    }
  }
  std::printf("| site | rms relative | max relative |\n|---|---|---|\n");
  for (size_t i = 0; i < model::kSiteCount; ++i)
    if (errors[i].seen)
      std::printf("| `%s` | %.1e | %.1e |\n", std::string(model::site_info(static_cast<model::Site>(i)).name).c_str(), errors[i].rms, errors[i].max);
  std::printf("\nMLM logits move by up to %.3f, the likeliest word's probability by up to %.4f; the likeliest word changes at %lld of %lld positions.\n",
              logit, probability, static_cast<long long>(moved), static_cast<long long>(guesses));
  return 0;
}
