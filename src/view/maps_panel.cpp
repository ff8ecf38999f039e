#include "view/maps_panel.h"

#include <algorithm>

#include "view/axis_labels.h"
#include "view/guesses_panel.h"
#include "view/summary.h"
#include "view/widgets.h"

namespace nullscope::view {

using session::Answer;
using session::Cell;
using session::MapKind;

namespace {

constexpr float kRowLabels = 64, kColumnLabels = 50, kTitle = 44;
constexpr float kLeastSide = 170, kThreeAcross = 960, kTwoAcross = 520;
constexpr double kLongPress = 0.5;  // seconds; a press longer than that reads, a shorter one pins

void tooltip(const Ui& ui, const Answer& answer, HeadIndex head, Cell cell, MapKind pointed) {
  if (!ImGui::BeginTooltip()) return;
  ImGui::Text("%s \xE2\x86\x92 %s", token_text(answer, cell.query).c_str(), token_text(answer, cell.key).c_str());
  for (const MapKind kind : session::kMapKinds) {
    const std::string line = number_text(static_cast<double>(answer.value(kind, head, cell))) + "   " + ordinal(rank_in_row(answer, kind, head, cell)) + " in row, row sum " +
                             number_text(row_sum(answer, kind, head, cell.query));
    ImGui::PushFont(kind == pointed ? ui.theme.bold : ui.theme.regular, kTextSize);
    ImGui::TextDisabled("%s", kind == MapKind::kRaw ? "raw" : kind == MapKind::kEffective ? "effective" : "difference");
    ImGui::SameLine(92);
    ImGui::TextUnformatted(line.c_str());
    ImGui::PopFont();
  }
  ImGui::EndTooltip();
}

void mark_cell(ImVec2 corner, float side, float size, Cell cell, ImU32 color) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float x = corner.x + size * static_cast<float>(cell.key), y = corner.y + size * static_cast<float>(cell.query);
  const float grow = std::max(0.0f, (4 - size) / 2);  // tiny cells still get a mark that shows
  draw->AddRect({corner.x - 1, y - 1}, {corner.x + side + 1, y + size + 1}, color);
  draw->AddRect({x - 1 - grow, y - 1 - grow}, {x + size + 1 + grow, y + size + 1 + grow}, color, 0, 2);
}

}  // namespace

void MapsPanel::refresh(const Ui& ui, const Answer& answer) {
  const HeadIndex head = ui.document.state().head;
  if (!textures_[0].empty() && data_version_ == ui.document.data_version() && head_ == head && dark_ == ui.theme.dark) return;
  for (const MapKind kind : session::kMapKinds) {
    scales_[static_cast<size_t>(kind)] = map_scale(answer, kind, head);
    textures_[static_cast<size_t>(kind)].set(paint_head(answer, kind, head, palette(ui.theme.dark)));
  }
  data_version_ = ui.document.data_version();
  head_ = head;
  dark_ = ui.theme.dark;
}

void MapsPanel::react(Ui& ui, const Answer& answer, MapKind kind, ImVec2 corner, float side) {
  const bool clicked = ImGui::InvisibleButton(map_title(kind).c_str(), {side, side});
  if (ImGui::IsItemActivated()) pressed_at_ = ImGui::GetTime();
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto query = hit_cell(mouse.y - corner.y, side, answer.token_count()), key = hit_cell(mouse.x - corner.x, side, answer.token_count());
  if (!query || !key) return;
  cell_under_mouse_ = true;
  ui.document.hover(Cell{*query, *key});
  const bool quick = ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen || ImGui::GetTime() - pressed_at_ < kLongPress;
  if (clicked && quick) ui.document.pin({*query, *key}, ImGui::GetIO().KeyShift);
  tooltip(ui, answer, ui.document.state().head, {*query, *key}, kind);
}

void MapsPanel::draw_map(Ui& ui, const Answer& answer, MapKind kind, float width) {
  const float side = width - kRowLabels;
  const size_t index = static_cast<size_t>(kind);
  ImGui::BeginGroup();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImGui::TextUnformatted(map_title(kind).c_str());
  legend(ui.theme, palette(ui.theme.dark), scales_[index], width > 260 ? "square-root scale" : "\xE2\x88\x9A scale");
  const ImVec2 corner{start.x + kRowLabels, start.y + kTitle + kColumnLabels};
  const auto current = ui.document.current();
  const auto pick = [&](int Cell::*member) { return current ? std::optional<int>((*current).*member) : std::nullopt; };
  draw_column_labels(ui.theme, {corner.x, start.y + kTitle}, kColumnLabels, side, answer.tokens, pick(&Cell::key));
  draw_row_labels(ui.theme, {start.x, corner.y}, kRowLabels, side, answer.tokens, pick(&Cell::query));
  ImGui::SetCursorScreenPos(corner);
  react(ui, answer, kind, corner, side);

  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float size = side / static_cast<float>(answer.token_count());
  draw->AddCallback(ImGui::GetPlatformIO().DrawCallback_SetSamplerNearest, nullptr);
  draw->AddImage(textures_[index].ref(), corner, {corner.x + side, corner.y + side});
  draw->AddCallback(ImGui::GetPlatformIO().DrawCallback_SetSamplerLinear, nullptr);
  if (ui.document.layer_stale(ui.document.state().head.layer)) draw->AddRectFilled(corner, {corner.x + side, corner.y + side}, (ui.theme.panel & 0xFFFFFF) | 0x90000000u);
  draw->AddRect({corner.x - 1, corner.y - 1}, {corner.x + side + 1, corner.y + side + 1}, ui.theme.border);
  draw->PushClipRect({corner.x - 3, corner.y - 3}, {corner.x + side + 3, corner.y + side + 3}, true);
  for (const Cell cell : ui.document.state().pinned) mark_cell(corner, side, size, cell, ui.theme.contrast);
  if (const auto hovered = ui.document.hovered()) mark_cell(corner, side, size, *hovered, ui.theme.accent);
  draw->PopClipRect();
  ImGui::EndGroup();
}

void MapsPanel::draw(Ui& ui, float tall) {
  if (!ui.document.shown()) {
    heading(ui.theme, "Attention");
    return muted(ui.theme, "The maps of one head appear here as soon as its layer is computed.");
  }
  const Answer& answer = *ui.document.shown();
  refresh(ui, answer);
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string remark = std::to_string(answer.token_count()) + " tokens" + (width > kTwoAcross ? " \xC2\xB7 rows read from columns \xC2\xB7 click a cell to pin it" : "");
  heading(ui.theme, head_name(ui.document.state().head).c_str(), remark.c_str());
  if (ui.document.stale()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ui.theme.contrast);
    ImGui::TextUnformatted("of the text before; the new one is on its way");
    ImGui::PopStyleColor();
  } else if (const std::string same = same_because(ui.document); !same.empty()) {
    muted(ui.theme, same);
    if (ImGui::Button("Show a longer text")) ui.show_long_text();
  }

  cell_under_mouse_ = false;
  const int across = width >= kThreeAcross ? 3 : width >= kTwoAcross ? 2 : 1;
  const float gap = 16;
  float each = (width - gap * static_cast<float>(across - 1)) / static_cast<float>(across);
  if (tall > 0) {
    const float rows = across == 3 ? 1 : across == 2 ? 2 : 3;
    const float left = tall - (ImGui::GetCursorPosY() + (across == 3 ? 150.0f : 30.0f));
    each = std::clamp(left / rows - kTitle - kColumnLabels - 10 + kRowLabels, std::min(each, kLeastSide + kRowLabels), each);
  }
  draw_map(ui, answer, MapKind::kRaw, each);
  if (across > 1) ImGui::SameLine(0, gap);
  else ImGui::Dummy({0, 6});
  draw_map(ui, answer, MapKind::kEffective, each);
  if (across == 3) ImGui::SameLine(0, gap);
  else ImGui::Dummy({0, 2});
  draw_map(ui, answer, MapKind::kNullPart, each);
  if (across == 2) ImGui::SameLine(0, gap);
  if (!cell_under_mouse_) ui.document.hover(std::nullopt);

  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x);
  ImGui::Dummy({0, 2});
  ImGui::TextUnformatted(summary(ui.document).c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, 6});
  draw_guesses(ui);
  ImGui::EndGroup();
}

}  // namespace nullscope::view
