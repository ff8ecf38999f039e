#include "view/head_grid_panel.h"

#include <algorithm>

#include "view/summary.h"
#include "view/widgets.h"

namespace nullscope::view {
namespace {

constexpr float kLabels = 18;  // room for the layer and head numbers
constexpr const char* kMapLabels[] = {"raw", "effective", "diff"};

void draw_numbers(const Theme& theme, ImVec2 corner, ImVec2 size, int layers, int heads) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto each = [&](float extent, int count, auto use) {
    for (int i = 0; i < count; i += label_stride(extent, count, 14)) use(std::to_string(i), extent * (static_cast<float>(i) + 0.5f) / static_cast<float>(count));
  };
  each(size.x, heads, [&](const std::string& text, float at) {
    draw->AddText(theme.regular, kTinySize, {corner.x + at - text_width(theme, text, kTinySize) / 2, corner.y - 13}, theme.muted, text.c_str());
  });
  each(size.y, layers, [&](const std::string& text, float at) {
    draw->AddText(theme.regular, kTinySize, {corner.x - 5 - text_width(theme, text, kTinySize), corner.y + at - kTinySize / 2 - 1}, theme.muted, text.c_str());
  });
}

}  // namespace

void HeadGridPanel::refresh(const Ui& ui, const session::Answer& answer) {
  const session::MapKind map = ui.document.state().map;
  if (!texture_.empty() && data_version_ == ui.document.data_version() && map_ == map && dark_ == ui.theme.dark) return;
  texture_.set(paint_grid(answer, map, palette(ui.theme.dark)));
  data_version_ = ui.document.data_version();
  map_ = map;
  dark_ = ui.theme.dark;
}

void HeadGridPanel::draw(Ui& ui) {
  heading(ui.theme, "Heads");
  const int map = segmented(ui.theme, "map", kMapLabels, static_cast<int>(ui.document.state().map));
  if (map != static_cast<int>(ui.document.state().map)) ui.document.set_map(static_cast<session::MapKind>(map));
  if (!ui.document.shown()) return muted(ui.theme, "The heads appear here, layer by layer.");
  const session::Answer& answer = *ui.document.shown();
  refresh(ui, answer);

  const GridLayout layout = grid_layout(answer);
  const float width = ImGui::GetContentRegionAvail().x - kLabels;
  const ImVec2 size{width, width * static_cast<float>(layout.layers) / static_cast<float>(layout.heads)};
  ImGui::Dummy({0, kLabels - 6});
  const ImVec2 corner{ImGui::GetCursorScreenPos().x + kLabels, ImGui::GetCursorScreenPos().y};
  draw_numbers(ui.theme, corner, size, layout.layers, layout.heads);
  ImGui::SetCursorScreenPos(corner);
  const bool clicked = ImGui::InvisibleButton("grid", size);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 cell{size.x / static_cast<float>(layout.heads), size.y / static_cast<float>(layout.layers)};
  draw->AddImage(texture_.ref(), corner, {corner.x + size.x, corner.y + size.y});
  for (int layer = 0; layer < layout.layers; ++layer)
    if (ui.document.layer_stale(layer))
      draw->AddRectFilled({corner.x, corner.y + cell.y * static_cast<float>(layer)}, {corner.x + size.x, corner.y + cell.y * static_cast<float>(layer + 1)}, (ui.theme.panel & 0xFFFFFF) | 0x90000000u);

  const auto outline = [&](HeadIndex head, ImU32 color, float thickness) {
    const ImVec2 a{corner.x + cell.x * static_cast<float>(head.head) - 1, corner.y + cell.y * static_cast<float>(head.layer) - 1};
    draw->AddRect(a, {a.x + cell.x + 1, a.y + cell.y + 1}, color, 1, thickness);
  };
  outline(ui.document.state().head, ui.theme.contrast, 2);
  const bool hovered = ImGui::IsItemHovered();
  legend(ui.theme, palette(ui.theme.dark), grid_scale(ui.document.state().map), "layers down, heads across");
  if (!hovered) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto layer = hit_cell(mouse.y - corner.y, size.y, layout.layers), head = hit_cell(mouse.x - corner.x, size.x, layout.heads);
  if (!layer || !head) return;
  outline({*layer, *head}, ui.theme.muted, 1);
  if (clicked) ui.document.select_head({*layer, *head});
  if (const session::LayerMaps* maps = answer.layer(*layer))
    ImGui::SetTooltip("%s\nrank %d of %d \xC2\xB7 Pearson %s", head_name({*layer, *head}).c_str(), static_cast<int>(maps->rank(*head)), answer.token_count(),
                      number_text(static_cast<double>(maps->pearson(*head))).c_str());
  else ImGui::SetTooltip("%s\nnot computed yet", head_name({*layer, *head}).c_str());
}

}  // namespace nullscope::view
