#include "io/export.h"

#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace nullscope::io {
namespace {

bool is_whole(Dtype dtype) {
  return dtype != Dtype::kF16 && dtype != Dtype::kBF16 && dtype != Dtype::kF32 && dtype != Dtype::kF64;
}

// Shortest text that reads back as the same number of the tensor's own precision.
std::string number_text(double value, Dtype dtype) {
  char buffer[32];
  const std::to_chars_result end = dtype == Dtype::kF64
                                       ? std::to_chars(buffer, buffer + sizeof buffer, value)
                                       : std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value));
  return {buffer, end.ptr};
}

// Calls `visit(text, finite)` for each number in order.
template <class Visit>
Status each_number(const std::string& name, const AnyTensor& tensor, Visit visit) {
  if (is_whole(tensor.dtype)) {
    const auto values = tensor.to_int();
    if (!values) return fail(values.error().code, name + ": " + values.error().message);
    for (const int64_t v : values->values()) visit(std::to_string(v), true);
  } else {
    const auto values = tensor.to_double();
    if (!values) return fail(values.error().code, name + ": " + values.error().message);
    for (const double v : values->values()) visit(number_text(v, tensor.dtype), std::isfinite(v));
  }
  return {};
}

std::string json_quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Result<std::string> bundle_json(const TensorBundle& bundle) {
  std::string out = "{\"meta\":{";
  const char* separator = "";
  for (const auto& [key, value] : bundle.metadata) {
    out.append(separator).append(json_quoted(key)).append(":").append(json_quoted(value));
    separator = ",";
  }
  out += "},\"tensors\":{";
  separator = "";
  for (const auto& [name, tensor] : bundle.tensors) {
    out.append(separator).append(json_quoted(name)).append(":{\"dtype\":\"").append(dtype_name(tensor.dtype));
    out.append("\",\"shape\":").append(nlohmann::json(tensor.shape).dump()).append(",\"data\":[");
    const char* comma = "";
    NULLSCOPE_TRY(each_number(name, tensor, [&](const std::string& text, bool finite) {
      out += comma;
      out += finite ? text : "null";
      comma = ",";
    }));
    out += "]}";
    separator = ",";
  }
  return out + "}}\n";
}

Result<std::string> bundle_csv(const TensorBundle& bundle) {
  constexpr size_t kAxes = 4;
  std::string out = "tensor,i,j,k,l,value\n";
  for (const auto& [name, tensor] : bundle.tensors) {
    if (tensor.shape.size() > kAxes)
      return fail(ErrorCode::kBadShape, name + ": CSV holds at most four axes, found " + std::to_string(tensor.shape.size()));
    Shape index(tensor.shape.size(), 0);
    NULLSCOPE_TRY(each_number(name, tensor, [&](const std::string& text, bool) {
      out += name;
      for (size_t axis = 0; axis < kAxes; ++axis) {
        out += ',';
        if (axis < index.size()) out += std::to_string(index[axis]);
      }
      out += ',' + text + '\n';
      for (size_t axis = index.size(); axis-- > 0;) {
        if (++index[axis] < tensor.shape[axis]) break;
        index[axis] = 0;
      }
    }));
  }
  return out;
}

}  // namespace nullscope::io
