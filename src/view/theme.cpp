#include "view/theme.h"

#include "implot.h"

namespace nullscope::view {
namespace {

constexpr ImU32 rgb(unsigned hex) { return 0xFF000000u | (hex & 255) << 16 | (hex & 0xFF00) | hex >> 16; }
ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

Theme light_colors() {
  return {false, rgb(0xf7f7f5), rgb(0xffffff), rgb(0xe2e2de), rgb(0x1a1c20), rgb(0x62656c), rgb(0x1f5fbf), rgb(0xb8500a), rgb(0x147a43), rgb(0xb3261e), rgb(0xedf1f7), nullptr, nullptr};
}
Theme dark_colors() {
  return {true, rgb(0x14171b), rgb(0x1c1f26), rgb(0x2c313a), rgb(0xe9ebee), rgb(0x9ba1ab), rgb(0x82b1ff), rgb(0xf4a261), rgb(0x5fd38d), rgb(0xff8a80), rgb(0x262c36), nullptr, nullptr};
}

}  // namespace

Theme apply_theme(bool dark, ImFont* regular, ImFont* bold) {
  Theme theme = dark ? dark_colors() : light_colors();
  theme.regular = regular;
  theme.bold = bold;

  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  if (dark) ImGui::StyleColorsDark(&style);
  else ImGui::StyleColorsLight(&style);
  style.FontSizeBase = kTextSize;
  style.WindowRounding = style.ChildRounding = style.PopupRounding = 8;
  style.FrameRounding = style.GrabRounding = 6;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = style.PopupBorderSize = style.FrameBorderSize = 1;
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 3};
  style.ItemSpacing = {8, 5};
  style.ScrollbarSize = 10;
  style.DisabledAlpha = 0.5f;
  const auto set = [&style](ImGuiCol index, ImU32 color) { style.Colors[index] = vec(color); };
  set(ImGuiCol_WindowBg, theme.page);
  set(ImGuiCol_ChildBg, theme.panel);
  set(ImGuiCol_PopupBg, theme.panel);
  set(ImGuiCol_Border, theme.border);
  set(ImGuiCol_Text, theme.ink);
  set(ImGuiCol_TextDisabled, theme.muted);
  set(ImGuiCol_FrameBg, theme.page);
  set(ImGuiCol_FrameBgHovered, theme.hover);
  set(ImGuiCol_FrameBgActive, theme.hover);
  set(ImGuiCol_Button, theme.panel);
  set(ImGuiCol_ButtonHovered, theme.hover);
  set(ImGuiCol_ButtonActive, theme.border);
  set(ImGuiCol_Header, theme.hover);
  set(ImGuiCol_HeaderHovered, theme.hover);
  set(ImGuiCol_HeaderActive, theme.border);
  set(ImGuiCol_SliderGrab, theme.accent);
  set(ImGuiCol_SliderGrabActive, theme.accent);
  set(ImGuiCol_ScrollbarBg, 0);
  set(ImGuiCol_ScrollbarGrab, theme.border);

  ImPlotStyle& plot = ImPlot::GetStyle();
  plot = ImPlotStyle();
  plot.PlotPadding = {2, 6};
  plot.PlotBorderSize = 0;
  plot.MajorTickLen = {0, 0};
  plot.MinorTickLen = {0, 0};
  plot.Colors[ImPlotCol_FrameBg] = plot.Colors[ImPlotCol_PlotBg] = {0, 0, 0, 0};
  plot.Colors[ImPlotCol_AxisText] = vec(theme.muted);
  plot.Colors[ImPlotCol_AxisGrid] = vec(theme.border);
  plot.Colors[ImPlotCol_InlayText] = vec(theme.ink);
  return theme;
}

}  // namespace nullscope::view
