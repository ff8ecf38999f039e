// Failure as a value. Bad input is an Error; a broken promise inside the program
// is a check that traps (core/check.h). Below session/ nothing prints, exits or throws.
#pragma once

#include <string>
#include <string_view>

namespace nullscope {

enum class ErrorCode {
  kBadFormat,    // bytes that are not what they claim to be
  kBadShape,     // a tensor of another shape than its use demands
  kBadType,      // a tensor of a number type that cannot be used here
  kBadIndex,     // layer, head, depth, position, token or segment outside its range
  kBadOption,    // an option or its combination makes no sense
  kMissing,      // a file, tensor or part that is needed and absent
  kUnsupported,  // sound input that this program does not handle
  kNotFinite,    // infinity or not-a-number where numbers are needed
  kTooLarge,     // beyond a stated limit, refused before allocating
  kIo,           // the system refused to read or write
  kCancelled,    // stopped on request
};

// Stable name for machine output, e.g. "bad_shape".
std::string_view error_code_name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kBadFormat;
  std::string message;  // the thing, what was expected, what was found
};

}  // namespace nullscope
