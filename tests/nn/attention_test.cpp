#include "nn/attention.h"

#include <limits>

#include "instruction_sets.h"
#include "support/naive_nn.h"
#include "support/tolerances.h"

namespace {

using namespace nullscope;
using namespace nullscope::test;

template <class S>
struct Attention {
  nn::AttentionShape shape;
  std::vector<S> query, key, value;
  std::vector<S> scores, probs, context;

  explicit Attention(const nn::AttentionShape& of, double scale = 1) : shape(of) {
    RandomNumbers random(static_cast<uint64_t>(of.tokens * 100 + of.heads));
    const int64_t count = of.tokens * of.heads * of.head_size;
    query = random_vector<S>(random, count, scale);
    key = random_vector<S>(random, count, scale);
    value = random_vector<S>(random, count);
    scores.resize(static_cast<size_t>(of.heads * of.tokens * of.tokens));
    probs.resize(scores.size(), 9);  // whatever was there before must go
    context.resize(value.size());
  }
  void run(const std::vector<int>& mask, const nn::Parallel* parallel = nullptr) {
    nn::attention_scores(shape, query.data(), key.data(), scores.data(), parallel);
    nn::attention_probs(shape, scores.data(), mask.empty() ? nullptr : mask.data(), probs.data(), parallel);
    nn::attention_context(shape, probs.data(), value.data(), context.data(), parallel);
  }
};

template <class S>
double largest(const std::vector<S>& values) {
  double most = 0;
  for (const S v : values) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

template <class S>
void check_attention(const nn::AttentionShape& shape, double scale, const std::vector<int>& mask) {
  CAPTURE(shape.tokens);
  CAPTURE(shape.heads);
  CAPTURE(shape.head_size);
  CAPTURE(scale);
  Attention<S> fast(shape, scale);
  fast.run(mask);
  const NaiveAttention slow = naive_attention(shape, fast.query, fast.key, fast.value, mask);
  const double eps = static_cast<double>(std::numeric_limits<S>::epsilon());
  const double score_unit = eps * std::sqrt(static_cast<double>(shape.head_size)) * std::max(1.0, largest(slow.scores));
  CHECK(worst_difference(fast.scores, slow.scores, std::vector(slow.scores.size(), score_unit)) <= kAttentionUnits);
  // A score that is off by d makes its probability off by the factor e^d; float sums add a little.
  const double prob_unit = score_unit + 4 * eps;
  CHECK(worst_difference(fast.probs, slow.probs, std::vector(slow.probs.size(), prob_unit)) <= kAttentionUnits);
  CHECK(worst_difference(fast.context, slow.context, std::vector(slow.context.size(), 4 * prob_unit)) <= kAttentionUnits);
}

TEST_CASE_TEMPLATE("attention is the naive loop for odd sizes", S, float, double) {
  with_each_instruction_set([] {
    for (const int64_t tokens : {1, 2, 3, 7, 16, 33, 50})
      for (const int64_t heads : {1, 3})
        for (const int64_t size : {1, 5, 64})
          for (const double scale : {.1, 1.0, 4.0}) check_attention<S>({tokens, heads, size}, scale, {});
  });
}

TEST_CASE_TEMPLATE("masked keys get exactly nothing, and the rest is as if they were not there", S, float, double) {
  with_each_instruction_set([] {
    const std::vector<int> mask = {1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0};
    const auto tokens = static_cast<int64_t>(mask.size());
    check_attention<S>({tokens, 2, 8}, 1, mask);
    Attention<S> attention({tokens, 2, 8});
    attention.run(mask);
    for (int64_t row = 0; row < 2 * tokens; ++row) {
      double sum = 0;
      for (int64_t key = 0; key < tokens; ++key) {
        const S p = attention.probs[static_cast<size_t>(row * tokens + key)];
        if (mask[static_cast<size_t>(key)] == 0) CHECK(p == 0);
        else CHECK(p > 0);
        sum += static_cast<double>(p);
      }
      CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    }
  });
}

TEST_CASE("a row whose keys are all masked is uniform") {
  with_each_instruction_set([] {
    Attention<float> attention({5, 2, 4});
    attention.run(std::vector<int>(5, 0));
    for (const float p : attention.probs) CHECK(p == .2f);
  });
}

TEST_CASE_TEMPLATE("scores of any size: no overflow, and minus infinity is nothing", S, float, double) {
  with_each_instruction_set([] {
    const S infinity = std::numeric_limits<S>::infinity();
    constexpr int64_t kTokens = 19;
    std::vector<S> scores(kTokens * kTokens, 0), probs(kTokens * kTokens);
    scores[3] = S(1e30);             // row 0: one key takes all
    scores[kTokens + 2] = -infinity;  // row 1: one key takes nothing
    for (int64_t key = 0; key < kTokens; ++key) scores[static_cast<size_t>(2 * kTokens + key)] = S(-1e30);  // row 2: all alike
    nn::attention_probs<S>({kTokens, 1, 1}, scores.data(), nullptr, probs.data());
    for (int64_t key = 0; key < kTokens; ++key) {
      CHECK(probs[static_cast<size_t>(key)] == (key == 3 ? S(1) : S(0)));
      CHECK(static_cast<double>(probs[static_cast<size_t>(kTokens + key)]) == doctest::Approx(key == 2 ? 0 : 1.0 / 18).epsilon(1e-6));
      CHECK(static_cast<double>(probs[static_cast<size_t>(2 * kTokens + key)]) == doctest::Approx(1.0 / 19).epsilon(1e-6));
    }
    CHECK(probs[kTokens + 2] == 0);
  });
}

TEST_CASE_TEMPLATE("one score far above the others takes all, wherever it stands", S, float, double) {
  with_each_instruction_set([] {
    for (size_t at = 0; at < 21; ++at) {
      std::vector<S> scores(21 * 21, 0), probs(21 * 21);
      scores[at] = 1000;
      nn::attention_probs<S>({21, 1, 1}, scores.data(), nullptr, probs.data());
      for (size_t key = 0; key < 21; ++key) CHECK(probs[key] == (key == at ? S(1) : S(0)));
    }
  });
}

TEST_CASE("a score that is not a number spoils its row and no other") {
  with_each_instruction_set([] {
    for (size_t at = 0; at < 21; ++at) {
      std::vector<float> scores(21 * 21, 1), probs(21 * 21);
      scores[at] = std::numeric_limits<float>::quiet_NaN();
      nn::attention_probs<float>({21, 1, 1}, scores.data(), nullptr, probs.data());
      for (size_t i = 0; i < probs.size(); ++i) CHECK(std::isnan(probs[i]) == (i < 21));
    }
  });
}

TEST_CASE("in place, and on any number of threads, the same numbers") {
  with_each_instruction_set([] {
    Attention<float> one({37, 5, 16});
    one.run({});
    std::vector<float> in_place = one.scores;
    nn::attention_probs(one.shape, in_place.data(), nullptr, in_place.data());
    CHECK(in_place == one.probs);
    for (const int threads : {2, 3, 8}) {
      const nn::Parallel parallel(threads);
      Attention<float> many({37, 5, 16});
      many.run({}, &parallel);
      CHECK(many.scores == one.scores);
      CHECK(many.probs == one.probs);
      CHECK(many.context == one.context);
    }
  });
}

}  // namespace
