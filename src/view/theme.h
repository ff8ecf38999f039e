// Colours, sizes and fonts of the canvas, the same as the page's style sheet.
#pragma once

#include "imgui.h"

namespace nullscope::view {

struct Theme {
  bool dark = false;
  ImU32 page, panel, border, ink, muted, accent, contrast, good, bad, hover;
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
};
// Heights of a line; letters are about 0.86 of it.
inline constexpr float kTextSize = 15, kSmallSize = 13, kTinySize = 11;

// Sets Dear ImGui's and ImPlot's styles too.
Theme apply_theme(bool dark, ImFont* regular, ImFont* bold);

}  // namespace nullscope::view
