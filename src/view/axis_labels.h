// Token names along a heat map: rows at the left, columns turned upwards above it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imgui.h"
#include "view/theme.h"

namespace nullscope::view {

// `marked` is drawn whatever the thinning leaves out, in the colour of the selection.
void draw_row_labels(const Theme& theme, ImVec2 corner, float width, float side, const std::vector<std::string>& tokens, std::optional<int> marked);
void draw_column_labels(const Theme& theme, ImVec2 corner, float height, float side, const std::vector<std::string>& tokens, std::optional<int> marked);

}  // namespace nullscope::view
