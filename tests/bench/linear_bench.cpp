// How fast are the kernels? One line each: GFLOP/s of linear maps in BERT-Base's shapes, and
// microseconds of everything else that one layer does. Best of several runs, one thread.
//
//   linear_bench [rows] [megabytes]
//
// `rows` is the number of tokens (default 128). `megabytes` of F16 weights are gone through
// between two runs on the same matrix (default 0: the matrix stays in the caches).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/tensor_bundle.h"
#include "nn/attention.h"
#include "nn/kernel_set.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "support/random_numbers.h"

namespace {

using namespace nullscope;

// Seconds of the fastest run of about half a second's worth.
template <class F>
double fastest(F run) {
  const auto seconds = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  double best = 1e9;
  for (const double begin = seconds(); seconds() - begin < .5;) {
    // Browsers round their clock to as much as 100 microseconds: a run is timed in bunches.
    const double from = seconds();
    int count = 0;
    do {
      run();
      ++count;
    } while (seconds() - from < .003);
    best = std::min(best, (seconds() - from) / count);
  }
  return best;
}

void time_linear(int64_t rows, int64_t out, int64_t in, nn::WeightType type, int64_t megabytes) {
  test::RandomNumbers random(1);
  const Tensor<float> x = random.tensor<float>({rows, in}), bias = random.tensor<float>({out});
  Tensor<float> y({rows, out});
  const int64_t copies = std::max<int64_t>(1, megabytes * 1'000'000 / (out * in * 2));
  const Tensor<float> wide = random.tensor<float>({type == nn::WeightType::kF32 ? copies : 1, out, in});
  std::vector<uint16_t> halves;
  if (type == nn::WeightType::kF16)
    for (int64_t copy = 0; copy < copies; ++copy)
      for (const float w : wide.values()) halves.push_back(float_to_half(w));
  int64_t copy = 0;
  const double time = fastest([&] {
    const void* data = type == nn::WeightType::kF16 ? static_cast<const void*>(halves.data() + copy * out * in) : wide.block(copy);
    nn::linear<float>(x.data(), rows, {data, type, out, in}, bias.data(), y.data());
    copy = (copy + 1) % copies;
  });
  std::printf("%-18s linear %3d x %4d -> %4d %s %7.1f GFLOP/s\n", nn::instruction_set().data(), static_cast<int>(rows),
              static_cast<int>(in), static_cast<int>(out), type == nn::WeightType::kF16 ? "F16" : "F32",
              2e-9 * static_cast<double>(rows * in * out) / time);
  std::fflush(stdout);
}

void time_the_rest(int64_t rows) {
  test::RandomNumbers random(2);
  const nn::AttentionShape shape{rows, 12, 64};
  const Tensor<float> hidden = random.tensor<float>({rows, 768}), gamma = random.tensor<float>({768});
  const Tensor<float> wide = random.tensor<float>({rows, 3072}), scores = random.tensor<float>({12, rows, rows});
  Tensor<float> normed({rows, 768}), activated({rows, 3072}), maps({12, rows, rows});
  const auto report = [&](const char* what, double time) {
    std::printf("%-18s %-14s %3d tokens %8.0f us\n", nn::instruction_set().data(), what, static_cast<int>(rows), 1e6 * time);
    std::fflush(stdout);
  };
  report("layer norm", fastest([&] { nn::layer_norm(hidden.data(), rows, 768, gamma.data(), gamma.data(), 1e-12, normed.data()); }));
  report("gelu", fastest([&] { nn::activate(nn::Activation::kGelu, wide.data(), activated.data(), wide.size()); }));
  report("scores", fastest([&] { nn::attention_scores(shape, hidden.data(), hidden.data(), maps.data()); }));
  report("softmax", fastest([&] { nn::attention_probs(shape, scores.data(), nullptr, maps.data()); }));
  report("context", fastest([&] { nn::attention_context(shape, scores.data(), hidden.data(), normed.data()); }));
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t rows = argc > 1 ? std::atoi(argv[1]) : 128, megabytes = argc > 2 ? std::atoi(argv[2]) : 0;
  if (rows < 1 || megabytes < 0) {
    std::fprintf(stderr, "usage: linear_bench [rows] [megabytes]\n");
    return 2;
  }
  for (const auto set : {nn::InstructionSet::kBaseline, nn::InstructionSet::kAvx2, nn::InstructionSet::kAvx512}) {
    if (!nn::runs_here(set)) continue;
    nn::force_instruction_set(set);
    for (const auto& [out, in] : {std::pair{768, 768}, {3072, 768}, {768, 3072}})
      for (const auto type : {nn::WeightType::kF16, nn::WeightType::kF32}) time_linear(rows, out, in, type, megabytes);
    time_the_rest(rows);
  }
}
