// ViewState: what the visitor chose, as opposed to what the engine computed. It is the whole
// of what a shared link carries, so every field is written out, zero and "off" included.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/effective_attention.h"
#include "core/result.h"
#include "core/tensor.h"

namespace nullscope::session {

// Version of the text form; readers refuse others.
inline constexpr int kViewStateVersion = 1;

enum class MapKind {
  kRaw,        // "raw"         A
  kEffective,  // "effective"   A_eff
  kNullPart,   // "null_part"   A - A_eff, which the head's output cannot see
};
inline constexpr MapKind kMapKinds[] = {MapKind::kRaw, MapKind::kEffective, MapKind::kNullPart};
std::string_view map_kind_name(MapKind kind);

enum class Theme { kSystem, kLight, kDark };
std::string_view theme_name(Theme theme);

// One entry of an attention map: how much `query` attends to `key`.
struct Cell {
  int query = 0;
  int key = 0;
  friend bool operator==(Cell, Cell) = default;
};

struct ViewState {
  std::string text;
  std::optional<std::string> pair;
  HeadIndex head;
  std::vector<Cell> pinned;  // in the order they were pinned; the last one is the current one
  MapKind map = MapKind::kEffective;  // of the grid of heads
  analysis::EffectiveVariant variant = analysis::EffectiveVariant::kValue;
  std::optional<double> cut;  // relative; unset for the default of the analysis
  Theme theme = Theme::kSystem;

  friend bool operator==(const ViewState&, const ViewState&) = default;
};

// "v=1&text=...&has_pair=0&pair=&layer=7&head=6&pinned=53.99&map=effective&variant=value&
// cut=default&theme=system", percent-encoded for use after the # of an address.
std::string write_view_state(const ViewState& state);

// Any text may come in. Fields that are absent keep their defaults; kBadFormat, kBadOption and
// kBadIndex name the field that cannot be read. Indices are bounded here and checked against
// the model and the text by the document.
Result<ViewState> read_view_state(std::string_view text);

}  // namespace nullscope::session
