#include "view/attention_view.h"

#include <algorithm>

namespace nullscope::view {
namespace {

constexpr float kMargin = 12;
constexpr float kThreeColumns = 1120;  // below it the inspector moves under the heads
constexpr float kSide = 360, kInspector = 284, kNarrowSide = 300;

template <class Draw>
void panel(const char* id, ImVec2 size, bool grows, Draw draw) {
  const ImGuiChildFlags flags = ImGuiChildFlags_Borders | ImGuiChildFlags_AlwaysUseWindowPadding |
                                (grows ? ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysAutoResize : 0);
  if (ImGui::BeginChild(id, size, flags)) draw();
  ImGui::EndChild();
}

}  // namespace

void AttentionView::draw_columns(Ui& ui, ImVec2 size) {
  const bool three = size.x >= kThreeColumns;
  const float side = three ? kSide : kNarrowSide;
  const float middle = size.x - side - 3 * kMargin - (three ? kInspector + kMargin : 0);
  const float height = size.y - 2 * kMargin;
  ImGui::SetCursorPos({kMargin, kMargin});
  panel("heads", {side, height}, false, [&] {
    grid_.draw(ui);
    ImGui::Dummy({0, 6});
    curve_.draw(ui);
    if (three) return;
    ImGui::Dummy({0, 6});
    inspector_.draw(ui);
  });
  ImGui::SameLine(0, kMargin);
  panel("maps", {middle, height}, false, [&] { maps_.draw(ui, height); });
  if (!three) return;
  ImGui::SameLine(0, kMargin);
  panel("inspector", {kInspector, height}, false, [&] { inspector_.draw(ui); });
}

void AttentionView::draw_column(Ui& ui, float width) {
  const ImVec2 size{width - kMargin, 0};
  const auto next = [&](const char* id, auto draw) {
    ImGui::SetCursorPosX(kMargin / 2);
    panel(id, size, true, draw);
  };
  ImGui::SetCursorPosY(kMargin / 2);
  next("heads", [&] { grid_.draw(ui); });
  next("maps", [&] { maps_.draw(ui, 0); });
  next("inspector", [&] { inspector_.draw(ui); });
  next("curve", [&] { curve_.draw(ui); });
  wanted_height_ = ImGui::GetCursorPosY() + kMargin / 2;
}

void AttentionView::draw(Ui& ui) {
  const ImVec2 size = ImGui::GetContentRegionAvail();
  wanted_height_ = 0;
  if (size.x < kNarrow) draw_column(ui, size.x);
  else draw_columns(ui, size);
}

}  // namespace nullscope::view
