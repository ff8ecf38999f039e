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
inline constexpr float kTextSize = 13, kSmallSize = 11, kTinySize = 9.5f;

// Sets Dear ImGui's and ImPlot's styles too.
Theme apply_theme(bool dark, ImFont* regular, ImFont* bold);

}  // namespace nullscope::view
