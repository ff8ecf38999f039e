#include "io/source_tensor.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "core/tensor_bundle.h"

namespace nullscope::io {
namespace {

using nn::WeightType;

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::string expected_text(std::vector<Extent> shape, bool transposed) {
  if (transposed && shape.size() == 2) std::swap(shape[0], shape[1]);
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i].size) + " (" + std::string(shape[i].meaning) + ")";
  return text + "]";
}

bool has_shape(const SourceTensor& tensor, const std::vector<Extent>& expected) {
  if (tensor.shape.size() != expected.size()) return false;
  for (size_t i = 0; i < expected.size(); ++i)
    if (tensor.shape[tensor.transposed ? expected.size() - 1 - i : i] != expected[i].size) return false;
  return true;
}

bool is_finite_bits(uint16_t half) { return (half & 0x7c00u) != 0x7c00u; }
bool is_finite_bits(float value) { return std::isfinite(value); }
bool is_finite_bits(double value) { return std::isfinite(value); }

// Index of the first number that is not finite.
template <class T>
std::optional<size_t> first_not_finite(const void* data, size_t count) {
  const T* values = static_cast<const T*>(data);
  for (size_t i = 0; i < count; ++i)
    if (!is_finite_bits(values[i])) return i;
  return std::nullopt;
}

std::optional<size_t> first_not_finite(const nn::WeightView& view) {
  const size_t count = static_cast<size_t>(view.rows * view.cols);
  switch (view.type) {
    case WeightType::kF16: return first_not_finite<uint16_t>(view.data, count);
    case WeightType::kF32: return first_not_finite<float>(view.data, count);
    case WeightType::kF64: return first_not_finite<double>(view.data, count);
  }
  return std::nullopt;
}

struct BFloat16 {
  uint16_t bits;
};

template <class Out, class Raw>
Out converted(Raw raw) {
  if constexpr (std::is_same_v<Raw, BFloat16>)
    return static_cast<Out>(bfloat16_to_float(raw.bits));
  else
    return static_cast<Out>(raw);
}

// The numbers of `tensor` in rows of the slot's orientation, in memory of their own.
template <class Raw, class Out>
model::Weight copied(const SourceTensor& tensor, WeightType type) {
  const int64_t rows = tensor.rows(), cols = tensor.cols();
  const size_t count = static_cast<size_t>(rows * cols);
  std::shared_ptr<std::byte> bytes(new std::byte[count * sizeof(Out)], std::default_delete<std::byte[]>());
  Out* out = reinterpret_cast<Out*>(bytes.get());
  const std::byte* in = tensor.bytes.data.get();
  // Reading runs along the file; a transposed tensor is written down the columns.
  const int64_t file_rows = tensor.transposed ? cols : rows, file_cols = tensor.transposed ? rows : cols;
  for (int64_t r = 0; r < file_rows; ++r)
    for (int64_t c = 0; c < file_cols; ++c) {
      Raw raw;
      std::memcpy(&raw, in + static_cast<size_t>(r * file_cols + c) * sizeof(Raw), sizeof(Raw));
      out[tensor.transposed ? c * file_rows + r : r * file_cols + c] = converted<Out>(raw);
    }
  return model::Weight(std::move(bytes), type, rows, cols);
}

template <class T>
model::Weight shared_or_copied(const SourceTensor& tensor, WeightType type) {
  const bool aligned = reinterpret_cast<uintptr_t>(tensor.bytes.data.get()) % alignof(T) == 0;
  if (aligned && !tensor.transposed) return model::Weight(tensor.bytes.data, type, tensor.rows(), tensor.cols());
  return copied<T, T>(tensor, type);
}

}  // namespace

size_t byte_size(const nn::WeightView& view) {
  const size_t number = view.type == WeightType::kF16 ? 2 : view.type == WeightType::kF32 ? 4 : 8;
  return static_cast<size_t>(view.rows * view.cols) * number;
}

Result<model::Weight> to_weight(const SourceTensor& tensor, const WeightSlot& slot, bool keep_double) {
  if (!has_shape(tensor, slot.shape))
    return fail(ErrorCode::kBadShape, tensor.name + ": expected shape " + expected_text(slot.shape, tensor.transposed) +
                                          ", found " + shape_text(tensor.shape));
  const auto dtype = dtype_from_name(tensor.dtype);
  model::Weight weight;
  if (dtype == Dtype::kF16)
    weight = shared_or_copied<uint16_t>(tensor, WeightType::kF16);
  else if (dtype == Dtype::kF32)
    weight = shared_or_copied<float>(tensor, WeightType::kF32);
  else if (dtype == Dtype::kF64 && keep_double)
    weight = shared_or_copied<double>(tensor, WeightType::kF64);
  else if (dtype == Dtype::kF64)
    weight = copied<double, float>(tensor, WeightType::kF32);
  else if (dtype == Dtype::kBF16)
    weight = copied<BFloat16, float>(tensor, WeightType::kF32);
  else
    return fail(ErrorCode::kBadType, tensor.name + ": expected dtype F16, BF16, F32 or F64, found " + tensor.dtype);
  if (const auto index = first_not_finite(weight.view()))
    return fail(ErrorCode::kNotFinite, tensor.name + ": expected finite numbers, found NaN or infinity at element " +
                                           std::to_string(*index));
  return weight;
}

}  // namespace nullscope::io
