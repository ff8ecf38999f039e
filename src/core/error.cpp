#include "core/error.h"

namespace nullscope {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBadFormat: return "bad_format";
    case ErrorCode::kBadShape: return "bad_shape";
    case ErrorCode::kBadType: return "bad_type";
    case ErrorCode::kBadIndex: return "bad_index";
    case ErrorCode::kBadOption: return "bad_option";
    case ErrorCode::kMissing: return "missing";
    case ErrorCode::kUnsupported: return "unsupported";
    case ErrorCode::kNotFinite: return "not_finite";
    case ErrorCode::kTooLarge: return "too_large";
    case ErrorCode::kIo: return "io";
    case ErrorCode::kCancelled: return "cancelled";
  }
  return "unknown";
}

}  // namespace nullscope
