// NULLSCOPE_CHECK(condition): a promise between our own parts, kept in release
// builds too. Bad input never reaches one: that is an Error.
#pragma once

#define NULLSCOPE_CHECK(condition)    \
  do {                                \
    if (!(condition)) __builtin_trap(); \
  } while (false)
