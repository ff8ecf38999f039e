// Result<T>: a value or an Error.
//
//   Result<int> f();
//   auto r = f();
//   if (!r) return std::unexpected(r.error());
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "core/error.h"

namespace nullscope {

template <class T>
using Result = std::expected<T, Error>;
using Status = std::expected<void, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

}  // namespace nullscope

// Leaves the enclosing function with the error of `expression`, if it has one.
#define NULLSCOPE_TRY(expression)                                                       \
  do {                                                                                  \
    if (auto nullscope_try_ = (expression); !nullscope_try_)                            \
      return std::unexpected(std::move(nullscope_try_.error()));                        \
  } while (false)
