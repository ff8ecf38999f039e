// NPZ by libzip; see export.h.
#include <zip.h>

#include <cstring>
#include <list>

#include "io/export.h"

namespace nullscope::io {
namespace {

const char* numpy_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF16: return "<f2";
    case Dtype::kBF16: return "<f4";
    case Dtype::kF32: return "<f4";
    case Dtype::kF64: return "<f8";
    case Dtype::kI8: return "|i1";
    case Dtype::kI16: return "<i2";
    case Dtype::kI32: return "<i4";
    case Dtype::kI64: return "<i8";
    case Dtype::kU8: return "|u1";
    case Dtype::kU16: return "<u2";
    case Dtype::kU32: return "<u4";
    case Dtype::kU64: return "<u8";
    case Dtype::kBool: return "|b1";
  }
  return "<f4";
}

// The .npy format, version 1.0: magic, header length, a Python dictionary padded to 64, data.
std::string npy(const AnyTensor& tensor) {
  std::string header = std::string("{'descr': '") + numpy_type(tensor.dtype) + "', 'fortran_order': False, 'shape': (";
  for (const int64_t extent : tensor.shape) header += std::to_string(extent) + ",";
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  if (tensor.dtype != Dtype::kBF16) return out.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  for (size_t i = 0; i + 1 < tensor.bytes.size(); i += 2) {
    const char widened[4] = {0, 0, static_cast<char>(tensor.bytes[i]), static_cast<char>(tensor.bytes[i + 1])};
    out.append(widened, 4);
  }
  return out;
}

}  // namespace

Status write_npz(const std::filesystem::path& path, const TensorBundle& bundle) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kIo, "cannot write " + path.string() + ": " + std::string(why));
  };
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (archive == nullptr) return refuse("the file cannot be created");
  std::list<std::string> files;  // libzip reads them when it closes
  const auto add = [&](const std::string& name, const std::string& content) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t at = source ? zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) return false;
    return zip_set_file_compression(archive, static_cast<zip_uint64_t>(at), ZIP_CM_STORE, 0) == 0;
  };
  for (const auto& [name, tensor] : bundle.tensors) {
    files.push_back(npy(tensor));
    if (!add(name + ".npy", files.back())) {
      const std::string why = zip_strerror(archive);
      zip_discard(archive);
      return refuse(why);
    }
  }
  if (zip_close(archive) != 0) {
    const std::string why = zip_strerror(archive);
    zip_discard(archive);
    return refuse(why);
  }
  return {};
}

}  // namespace nullscope::io
