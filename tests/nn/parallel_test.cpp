#include "nn/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace {

using namespace nullscope;

TEST_CASE("every task is run once, round after round") {
  for (const int threads : {1, 2, 3, 8}) {
    const nn::Parallel parallel(threads);
    for (const int count : {0, 1, 2, 7, 100, 1000})
      for (int round = 0; round < 20; ++round) {
        std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
        parallel.run(count, [&](int task) { ++runs[static_cast<size_t>(task)]; });
        CHECK(std::all_of(runs.begin(), runs.end(), [](const auto& n) { return n == 1; }));
      }
  }
}

TEST_CASE("the caller's thread counts; less than one is one") {
  CHECK(nn::Parallel(1).threads() == 1);
  CHECK(nn::Parallel(0).threads() == 1);
#if !defined(__EMSCRIPTEN__)
  CHECK(nn::Parallel(3).threads() == 3);
#endif
}

TEST_CASE("no pool: the caller runs all, in order") {
  std::vector<int> order;
  nn::run_tasks(nullptr, 4, [&](int task) { order.push_back(task); });
  CHECK(order == std::vector{0, 1, 2, 3});
}

}  // namespace
