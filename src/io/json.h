// Strict JSON: RFC 8259 and nothing more. Duplicate keys, nesting beyond kMaxJsonDepth,
// NUL bytes, trailing text and numbers outside double are refused; no exceptions.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/result.h"

namespace nullscope::io {

inline constexpr size_t kMaxJsonDepth = 32;

// `name` opens the messages, e.g. "config.json".
Result<nlohmann::json> parse_json(std::string_view text, std::string_view name);

// A value for a message: its JSON text, cut short.
std::string json_excerpt(const nlohmann::json& value);

// The member of an object, nullptr when absent.
const nlohmann::json* member(const nlohmann::json& object, std::string_view key);

// The string in `value`; nullptr when it is not one.
const std::string* as_string(const nlohmann::json* value);

}  // namespace nullscope::io
