// Tensor<S>: a dense row-major array that owns its numbers.
//
// Shape letters, used in comments only, everywhere in the project:
//   T tokens with [CLS] and [SEP] (T_q, T_k where the sides differ)   L layers
//   H heads   D head size   C hidden size = H D   F intermediate size   V vocabulary
//   P positions   S integration steps   N examples
// Index words: layer 0..L-1, depth 0..L (a row of hidden_states), head, query, key,
// position, channel, token_id. All zero-based.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/check.h"

namespace nullscope {

using Shape = std::vector<int64_t>;

// Product of the extents; the shape must be sound (see checked_element_count for input).
inline int64_t element_count(const Shape& shape) {
  int64_t n = 1;
  for (const int64_t extent : shape) n *= extent;
  return n;
}

template <class S>
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Shape shape) : shape_(std::move(shape)), values_(static_cast<size_t>(element_count(shape_))) {}

  const Shape& shape() const { return shape_; }
  int64_t dim(size_t axis) const { return shape_[axis]; }
  int64_t size() const { return static_cast<int64_t>(values_.size()); }
  bool empty() const { return values_.empty(); }

  S* data() { return values_.data(); }
  const S* data() const { return values_.data(); }
  std::span<S> values() { return values_; }
  std::span<const S> values() const { return values_; }

  // The block at index i of the first axis: [shape[1], shape[2], ...].
  int64_t block_size() const { return shape_.empty() || shape_[0] == 0 ? 0 : size() / shape_[0]; }
  S* block(int64_t i) { return data() + i * block_size(); }
  const S* block(int64_t i) const { return data() + i * block_size(); }

  S& operator()(int64_t i) { return values_[offset(i)]; }
  S operator()(int64_t i) const { return values_[offset(i)]; }
  S& operator()(int64_t i, int64_t j) { return values_[offset(i * shape_[1] + j)]; }
  S operator()(int64_t i, int64_t j) const { return values_[offset(i * shape_[1] + j)]; }
  S& operator()(int64_t i, int64_t j, int64_t k) { return values_[offset((i * shape_[1] + j) * shape_[2] + k)]; }
  S operator()(int64_t i, int64_t j, int64_t k) const { return values_[offset((i * shape_[1] + j) * shape_[2] + k)]; }

 private:
  size_t offset(int64_t flat) const {
    NULLSCOPE_CHECK(flat >= 0 && flat < size());
    return static_cast<size_t>(flat);
  }
  Shape shape_;
  std::vector<S> values_;
};

// One head of one layer; never two ints in a row.
struct HeadIndex {
  int layer = 0;  // 0..L-1
  int head = 0;   // 0..H-1
  friend bool operator==(HeadIndex, HeadIndex) = default;
};

}  // namespace nullscope
