// TensorBundle: named tensors with text metadata. On disk and in messages it is a
// safetensors file (io/safetensors.h reads and writes it): results, snapshots,
// worker messages, --out files and golden data are all this.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"

namespace nullscope {

// Number types of the safetensors format that this project reads.
enum class Dtype { kF16, kBF16, kF32, kF64, kI8, kI16, kI32, kI64, kU8, kU16, kU32, kU64, kBool };

std::string_view dtype_name(Dtype dtype);                  // "F32"
std::optional<Dtype> dtype_from_name(std::string_view);    // case counts, as in the format
size_t dtype_size(Dtype dtype);                            // bytes of one number

// Any tensor: raw little-endian bytes of `dtype`, row-major.
struct AnyTensor {
  Dtype dtype = Dtype::kF32;
  Shape shape;
  std::vector<std::byte> bytes;

  static AnyTensor from(const Tensor<float>& tensor);
  static AnyTensor from(const Tensor<double>& tensor);
  static AnyTensor from(const Tensor<int64_t>& tensor);
  static AnyTensor f16_from(const Tensor<float>& tensor);  // rounds to nearest even, keeps subnormals

  // Numbers widened or narrowed to S; kBadType for types that are not numbers of that kind
  // (integers come back as floating point only when asked by S).
  Result<Tensor<float>> to_float() const;
  Result<Tensor<double>> to_double() const;
  Result<Tensor<int64_t>> to_int() const;
};

struct TensorBundle {
  std::map<std::string, AnyTensor, std::less<>> tensors;
  std::map<std::string, std::string, std::less<>> metadata;

  const AnyTensor* find(std::string_view name) const;  // nullptr when absent
};

// IEEE half and bfloat16, by integer operations: subnormals are kept.
float half_to_float(uint16_t half);
uint16_t float_to_half(float value);  // round to nearest even; overflow gives infinity
float bfloat16_to_float(uint16_t bits);

}  // namespace nullscope
