#include "session/view_state.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace nullscope::session {
namespace {

constexpr size_t kLongestState = 1 << 20;
constexpr int kLargestIndex = 1 << 20;
constexpr size_t kMostPinned = 64;

constexpr std::string_view kMapNames[] = {"raw", "effective", "null_part"};
constexpr std::string_view kThemeNames[] = {"system", "light", "dark"};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
}

std::string encoded(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_plain(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    if (error != std::errc() || end != text.data() + i + 3) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

std::optional<int> index_from(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > kLargestIndex) return std::nullopt;
  return value;
}

std::unexpected<Error> bad(std::string_view field, std::string_view value, const char* expected, ErrorCode code = ErrorCode::kBadOption) {
  return fail(code, "link: " + std::string(field) + ": expected " + expected + ", found \"" + std::string(value.substr(0, 40)) + "\"");
}

Status read_index(std::string_view field, std::string_view value, int& out) {
  const auto index = index_from(value);
  if (!index) return bad(field, value, "a whole number from 0", ErrorCode::kBadIndex);
  out = *index;
  return {};
}

// "53.99,12.4": query.key of each pinned cell.
Status read_pinned(std::string_view value, std::vector<Cell>& out) {
  out.clear();
  while (!value.empty()) {
    const std::string_view item = value.substr(0, value.find(','));
    value.remove_prefix(std::min(value.size(), item.size() + 1));
    const size_t dot = item.find('.');
    const auto query = index_from(item.substr(0, dot));
    const auto key = dot == item.npos ? std::nullopt : index_from(item.substr(dot + 1));
    if (!query || !key || out.size() == kMostPinned) return bad("pinned", item, "at most 64 pairs query.key", ErrorCode::kBadIndex);
    out.push_back({*query, *key});
  }
  return {};
}

template <class E, size_t N>
Status read_name(std::string_view field, std::string_view value, const std::string_view (&names)[N], const char* expected, E& out) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] != value) continue;
    out = static_cast<E>(i);
    return {};
  }
  return bad(field, value, expected);
}

Status read_cut(std::string_view value, std::optional<double>& out) {
  out.reset();
  if (value == "default") return {};
  const std::string text(value);  // strtod, as the web's library has no from_chars for double
  char* end = nullptr;
  const double cut = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !(cut >= 0 && cut <= 1)) return bad("cut", value, "\"default\" or a number from 0 to 1");
  out = cut;
  return {};
}

Status read_field(std::string_view field, const std::string& value, ViewState& state, bool& has_pair) {
  if (field == "text") state.text = value;
  if (field == "pair") state.pair = value;
  if (field == "has_pair") {
    if (value != "0" && value != "1") return bad(field, value, "0 or 1");
    has_pair = value == "1";
  }
  if (field == "layer") return read_index(field, value, state.head.layer);
  if (field == "head") return read_index(field, value, state.head.head);
  if (field == "pinned") return read_pinned(value, state.pinned);
  if (field == "map") return read_name(field, value, kMapNames, "raw, effective or null_part", state.map);
  if (field == "theme") return read_name(field, value, kThemeNames, "system, light or dark", state.theme);
  if (field == "cut") return read_cut(value, state.cut);
  if (field == "variant") {
    const auto variant = analysis::effective_variant_from_name(value);
    if (!variant) return bad(field, value, "the name of a variant, such as value");
    state.variant = *variant;
  }
  if (field == "v" && value != std::to_string(kViewStateVersion)) return bad(field, value, "version 1 of the link format", ErrorCode::kUnsupported);
  return {};
}

}  // namespace

std::string_view map_kind_name(MapKind kind) { return kMapNames[static_cast<size_t>(kind)]; }
std::string_view theme_name(Theme theme) { return kThemeNames[static_cast<size_t>(theme)]; }

std::string write_view_state(const ViewState& state) {
  std::string pinned;
  for (const Cell cell : state.pinned) pinned += (pinned.empty() ? "" : ",") + std::to_string(cell.query) + "." + std::to_string(cell.key);
  std::string cut = "default";
  if (state.cut) {
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", *state.cut);
    cut = digits.data();
  }
  std::string out = "v=" + std::to_string(kViewStateVersion);
  const auto add = [&out](const char* field, std::string_view value) { out += "&" + std::string(field) + "=" + encoded(value); };
  add("text", state.text);
  add("has_pair", state.pair ? "1" : "0");
  add("pair", state.pair.value_or(""));
  add("layer", std::to_string(state.head.layer));
  add("head", std::to_string(state.head.head));
  add("pinned", pinned);
  add("map", map_kind_name(state.map));
  add("variant", analysis::effective_variant_name(state.variant));
  add("cut", cut);
  add("theme", theme_name(state.theme));
  return out;
}

Result<ViewState> read_view_state(std::string_view text) {
  if (text.size() > kLongestState) return fail(ErrorCode::kTooLarge, "link: expected at most 1 MiB, found " + std::to_string(text.size()) + " bytes");
  ViewState state;
  bool has_pair = false;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t equals = item.find('=');
    const std::string_view field = item.substr(0, equals);
    const auto value = decoded(equals == item.npos ? std::string_view() : item.substr(equals + 1));
    if (!value) return bad(field, item, "percent-encoded text", ErrorCode::kBadFormat);
    NULLSCOPE_TRY(read_field(field, *value, state, has_pair));
  }
  if (!has_pair) state.pair.reset();
  if (has_pair && !state.pair) state.pair = "";
  return state;
}

}  // namespace nullscope::session
