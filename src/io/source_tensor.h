// SourceTensor: a tensor as a checkpoint file holds it, on its way to a model::Weight.
#pragma once

#include <string>

#include "core/result.h"
#include "core/tensor.h"
#include "io/bytes.h"
#include "io/weight_slots.h"

namespace nullscope::io {

struct SourceTensor {
  std::string name;         // in the file
  std::string dtype;        // safetensors' name of it
  Shape shape;              // in the file
  Bytes bytes;              // exactly its own; shares the file's buffer
  bool transposed = false;  // [in, out]: turned while loading

  int64_t rows() const { return shape.size() == 2 ? shape[transposed ? 1 : 0] : 1; }
  int64_t cols() const { return shape.empty() ? 1 : shape[shape.size() == 2 && transposed ? 0 : shape.size() - 1]; }
};

// Checks the shape, that the numbers are floating point and all finite. F16 and F32 share the
// buffer when aligned; BF16 and F64 become F32, F64 stays when `keep_double`.
Result<model::Weight> to_weight(const SourceTensor& tensor, const WeightSlot& slot, bool keep_double);

// Bytes of the numbers of a view.
size_t byte_size(const nn::WeightView& view);

}  // namespace nullscope::io
