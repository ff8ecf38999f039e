#include "view/axis_labels.h"

#include <cmath>

#include "view/heat_map.h"
#include "view/widgets.h"

namespace nullscope::view {
namespace {

constexpr float kTurn = -1.0471976f;  // 60 degrees upwards

// Dear ImGui draws level text only: its corners are turned about `pivot` afterwards. Text is laid
// out where it cannot be clipped, then moved.
void draw_turned(ImDrawList* draw, const Theme& theme, ImVec2 pivot, ImU32 color, const std::string& text) {
  const ImVec2 origin = draw->GetClipRectMin();
  const int first = draw->VtxBuffer.Size;
  draw->AddText(theme.regular, kTinySize, origin, color, text.c_str(), text.c_str() + text.size());
  const float c = std::cos(kTurn), s = std::sin(kTurn);
  for (int i = first; i < draw->VtxBuffer.Size; ++i) {
    ImVec2& p = draw->VtxBuffer[i].pos;
    const float x = p.x - origin.x, y = p.y - origin.y - kTinySize / 2;
    p = {pivot.x + c * x - s * y, pivot.y + s * x + c * y};
  }
}

// Calls use(index, is_marked) for the labels that fit, and for the marked one in the place of its neighbours.
template <class Use>
void each_label(float side, int count, float size, std::optional<int> marked, Use use) {
  const int stride = label_stride(side, count, size);
  for (int i = 0; i < count; i += stride)
    if (!marked || std::abs(i - *marked) >= stride) use(i, false);
  if (marked && *marked < count) use(*marked, true);
}

}  // namespace

void draw_row_labels(const Theme& theme, ImVec2 corner, float width, float side, const std::vector<std::string>& tokens, std::optional<int> marked) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float cell = side / static_cast<float>(tokens.size());
  each_label(side, static_cast<int>(tokens.size()), kTinySize + 1.5f, marked, [&](int i, bool is_marked) {
    const std::string text = fitted(theme, tokens[static_cast<size_t>(i)], kTinySize, width - 6);
    const float y = corner.y + cell * (static_cast<float>(i) + 0.5f) - kTinySize / 2 - 1;
    draw->AddText(theme.regular, kTinySize, {corner.x + width - 6 - text_width(theme, text, kTinySize), y}, is_marked ? theme.contrast : theme.muted, text.c_str());
  });
}

void draw_column_labels(const Theme& theme, ImVec2 corner, float height, float side, const std::vector<std::string>& tokens, std::optional<int> marked) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float cell = side / static_cast<float>(tokens.size());
  each_label(side, static_cast<int>(tokens.size()), kTinySize + 3, marked, [&](int i, bool is_marked) {
    const std::string text = fitted(theme, tokens[static_cast<size_t>(i)], kTinySize, (height - 6) / std::sin(-kTurn));
    draw_turned(draw, theme, {corner.x + cell * (static_cast<float>(i) + 0.5f), corner.y + height - 4}, is_marked ? theme.contrast : theme.muted, text);
  });
}

}  // namespace nullscope::view
