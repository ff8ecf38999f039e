// The keyboard, by the names that browsers give keys; one table for the help and the program.
#pragma once

#include <span>
#include <string_view>

#include "session/document.h"

namespace nullscope::view {

struct KeyHelp {
  const char* keys;
  const char* meaning;
};
std::span<const KeyHelp> key_help();

// True when the key meant something here. "?" is the caller's: it shows key_help().
bool press_key(session::Document& document, std::string_view key, bool shift);

}  // namespace nullscope::view
