// The few shapes that the panels are made of.
#pragma once

#include <span>
#include <string>

#include "imgui.h"
#include "view/color_map.h"
#include "view/theme.h"

namespace nullscope::view {

// Bold, with a smaller remark after it.
void heading(const Theme& theme, const char* text, const char* remark = nullptr);
void muted(const Theme& theme, const std::string& text);  // wrapped
// "name ........ value", the value bold at the right edge.
void fact(const Theme& theme, const char* name, const std::string& value, ImU32 color = 0);
// Buttons of which one is on; returns its index. Placed at the right edge of the line.
int segmented(const Theme& theme, const char* id, std::span<const char* const> labels, int on);
// Colour bar with its two ends, `remark` after it.
void legend(const Theme& theme, const Palette& colors, Scale scale, const char* remark);
// Width of `text` at `size`.
float text_width(const Theme& theme, const std::string& text, float size);
// The text cut to `width` with an ellipsis, between code points.
std::string fitted(const Theme& theme, const std::string& text, float size, float width);

}  // namespace nullscope::view
