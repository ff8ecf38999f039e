#include "core/tensor_bundle.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace nullscope {
namespace {

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  size_t size;
};
constexpr std::array<DtypeRow, 13> kDtypes = {{{Dtype::kF16, "F16", 2},
                                               {Dtype::kBF16, "BF16", 2},
                                               {Dtype::kF32, "F32", 4},
                                               {Dtype::kF64, "F64", 8},
                                               {Dtype::kI8, "I8", 1},
                                               {Dtype::kI16, "I16", 2},
                                               {Dtype::kI32, "I32", 4},
                                               {Dtype::kI64, "I64", 8},
                                               {Dtype::kU8, "U8", 1},
                                               {Dtype::kU16, "U16", 2},
                                               {Dtype::kU32, "U32", 4},
                                               {Dtype::kU64, "U64", 8},
                                               {Dtype::kBool, "BOOL", 1}}};

template <class S>
AnyTensor copy_of(Dtype dtype, const Tensor<S>& tensor) {
  AnyTensor any{dtype, tensor.shape(), std::vector<std::byte>(static_cast<size_t>(tensor.size()) * sizeof(S))};
  if (!any.bytes.empty()) std::memcpy(any.bytes.data(), tensor.data(), any.bytes.size());
  return any;
}

// Calls `visit(index, number)` for each number, read as its own type.
template <class Raw, class Visit>
void each(const AnyTensor& any, Visit visit) {
  const size_t count = any.bytes.size() / sizeof(Raw);
  for (size_t i = 0; i < count; ++i) {
    Raw raw;
    std::memcpy(&raw, any.bytes.data() + i * sizeof(Raw), sizeof(Raw));
    visit(i, raw);
  }
}

template <class S>
Result<Tensor<S>> widened(const AnyTensor& any) {
  Tensor<S> out(any.shape);
  S* to = out.data();
  if (static_cast<size_t>(out.size()) * dtype_size(any.dtype) != any.bytes.size())
    return fail(ErrorCode::kBadShape, "tensor bytes do not match its shape");
  const auto put = [&](size_t i, auto raw) { to[i] = static_cast<S>(raw); };
  switch (any.dtype) {
    case Dtype::kF16: each<uint16_t>(any, [&](size_t i, uint16_t h) { to[i] = static_cast<S>(half_to_float(h)); }); break;
    case Dtype::kBF16: each<uint16_t>(any, [&](size_t i, uint16_t h) { to[i] = static_cast<S>(bfloat16_to_float(h)); }); break;
    case Dtype::kF32: each<float>(any, put); break;
    case Dtype::kF64: each<double>(any, put); break;
    case Dtype::kI8: each<int8_t>(any, put); break;
    case Dtype::kI16: each<int16_t>(any, put); break;
    case Dtype::kI32: each<int32_t>(any, put); break;
    case Dtype::kI64: each<int64_t>(any, put); break;
    case Dtype::kU8: each<uint8_t>(any, put); break;
    case Dtype::kU16: each<uint16_t>(any, put); break;
    case Dtype::kU32: each<uint32_t>(any, put); break;
    case Dtype::kU64: each<uint64_t>(any, put); break;
    case Dtype::kBool: each<uint8_t>(any, put); break;
  }
  return out;
}

bool is_floating(Dtype dtype) {
  return dtype == Dtype::kF16 || dtype == Dtype::kBF16 || dtype == Dtype::kF32 || dtype == Dtype::kF64;
}

}  // namespace

std::string_view dtype_name(Dtype dtype) {
  for (const DtypeRow& row : kDtypes)
    if (row.dtype == dtype) return row.name;
  return "?";
}

std::optional<Dtype> dtype_from_name(std::string_view name) {
  for (const DtypeRow& row : kDtypes)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}

size_t dtype_size(Dtype dtype) {
  for (const DtypeRow& row : kDtypes)
    if (row.dtype == dtype) return row.size;
  return 0;
}

AnyTensor AnyTensor::from(const Tensor<float>& tensor) { return copy_of(Dtype::kF32, tensor); }
AnyTensor AnyTensor::from(const Tensor<double>& tensor) { return copy_of(Dtype::kF64, tensor); }
AnyTensor AnyTensor::from(const Tensor<int64_t>& tensor) { return copy_of(Dtype::kI64, tensor); }

AnyTensor AnyTensor::f16_from(const Tensor<float>& tensor) {
  AnyTensor any{Dtype::kF16, tensor.shape(), std::vector<std::byte>(static_cast<size_t>(tensor.size()) * 2)};
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const uint16_t half = float_to_half(tensor.data()[i]);
    std::memcpy(any.bytes.data() + i * 2, &half, 2);
  }
  return any;
}

Result<Tensor<float>> AnyTensor::to_float() const { return widened<float>(*this); }
Result<Tensor<double>> AnyTensor::to_double() const { return widened<double>(*this); }
Result<Tensor<int64_t>> AnyTensor::to_int() const {
  if (is_floating(dtype)) return fail(ErrorCode::kBadType, "expected whole numbers, found " + std::string(dtype_name(dtype)));
  return widened<int64_t>(*this);
}

const AnyTensor* TensorBundle::find(std::string_view name) const {
  const auto it = tensors.find(name);
  return it == tensors.end() ? nullptr : &it->second;
}

float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  const uint32_t mantissa = half & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  if (mantissa == 0) return std::bit_cast<float>(sign);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;  // exact: a subnormal half is m 2^-24
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);  // 65536 and more, infinity
  if (magnitude < 0x33000000u) return static_cast<uint16_t>(sign);             // below half of the smallest subnormal
  uint32_t rounded;
  if (magnitude < 0x38800000u) {  // a subnormal half: shift the full mantissa into place
    const uint32_t shift = 126 - (magnitude >> 23);
    const uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), tie = 1u << (shift - 1);
    rounded = kept + (rest > tie || (rest == tie && (kept & 1u)) ? 1u : 0u);
  } else {
    const uint32_t rebased = magnitude - 0x38000000u;
    rounded = (rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13;  // may carry into infinity, as it should
  }
  return static_cast<uint16_t>(sign | rounded);
}

float bfloat16_to_float(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

}  // namespace nullscope
