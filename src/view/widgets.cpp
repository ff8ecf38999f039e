#include "view/widgets.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace nullscope::view {

void heading(const Theme& theme, const char* text, const char* remark) {
  ImGui::PushFont(theme.bold, kTextSize);
  ImGui::TextUnformatted(text);
  ImGui::PopFont();
  if (remark == nullptr) return;
  ImGui::SameLine(0, 6);
  ImGui::PushFont(theme.regular, kSmallSize);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 1);
  ImGui::TextDisabled("%s", remark);
  ImGui::PopFont();
}

void muted(const Theme& theme, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme.muted);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void fact(const Theme& theme, const char* name, const std::string& value, ImU32 color) {
  ImGui::TextDisabled("%s", name);
  ImGui::SameLine();
  ImGui::PushFont(theme.bold, kTextSize);
  const float width = ImGui::CalcTextSize(value.c_str()).x;
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width));
  if (color) ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(value.c_str());
  if (color) ImGui::PopStyleColor();
  ImGui::PopFont();
}

int segmented(const Theme& theme, const char* id, std::span<const char* const> labels, int on) {
  constexpr float kPad = 9, height = 24;
  float total = 0;
  // Bold is wider: no button changes its width when it is chosen.
  const auto width_of = [&](const char* label) { return theme.bold->CalcTextSizeA(kTextSize, 1e9f, 0, label).x + 2 * kPad; };
  for (const char* label : labels) total += width_of(label);
  ImGui::SameLine();
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - total;
  if (right < ImGui::GetCursorPosX()) ImGui::NewLine();
  ImGui::SetCursorPosX(std::max(right, ImGui::GetStyle().WindowPadding.x));
  const ImVec2 at{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y - 3};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImGui::PushID(id);
  float x = at.x;
  for (size_t i = 0; i < labels.size(); ++i) {
    const float width = width_of(labels[i]);
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("part", {width, height})) on = static_cast<int>(i);
    const bool lit = on == static_cast<int>(i);
    if (lit || ImGui::IsItemHovered()) draw->AddRectFilled({x, at.y}, {x + width, at.y + height}, theme.hover, 6);
    draw->AddText(lit ? theme.bold : theme.regular, kTextSize, {x + kPad, at.y + (height - kTextSize) / 2}, lit ? theme.ink : theme.muted, labels[i]);
    ImGui::PopID();
    x += width;
  }
  draw->AddRect(at, {at.x + total, at.y + height}, theme.border, 6);
  ImGui::PopID();
  return on;
}

void legend(const Theme& theme, const Palette& colors, Scale scale, const char* remark) {
  constexpr float kWidth = 64, kHeight = 9;
  ImGui::PushFont(theme.regular, kSmallSize);
  std::array<char, 24> high{};
  std::snprintf(high.data(), high.size(), "%.2g", static_cast<double>(scale.largest));
  const std::string low = scale.is_signed ? std::string("\xE2\x88\x92") + high.data() : "0";
  ImGui::TextDisabled("%s", low.c_str());
  ImGui::SameLine(0, 4);
  const ImVec2 at{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + 3};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (int i = 0; i < static_cast<int>(kWidth); ++i) {
    const float position = static_cast<float>(i) / (kWidth - 1);
    const float value = scale.is_signed ? (2 * position - 1) * scale.largest : position * scale.largest;
    draw->AddRectFilled({at.x + static_cast<float>(i), at.y}, {at.x + static_cast<float>(i + 1), at.y + kHeight}, color_of(colors, scale, value));
  }
  draw->AddRect(at, {at.x + kWidth, at.y + kHeight}, theme.border);
  ImGui::Dummy({kWidth, kHeight});
  ImGui::SameLine(0, 4);
  ImGui::TextDisabled("%s%s%s", high.data(), *remark ? " \xC2\xB7 " : "", remark);
  ImGui::PopFont();
}

float text_width(const Theme& theme, const std::string& text, float size) {
  return theme.regular->CalcTextSizeA(size, 1e9f, 0, text.c_str(), text.c_str() + text.size()).x;
}

std::string fitted(const Theme& theme, const std::string& text, float size, float width) {
  if (text_width(theme, text, size) <= width) return text;
  std::string cut = text;
  while (!cut.empty()) {
    do cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80);
    if (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0xC0) cut.pop_back();
    if (text_width(theme, cut + "\xE2\x80\xA6", size) <= width) break;
  }
  return cut + "\xE2\x80\xA6";
}

}  // namespace nullscope::view
