#include "view/layer_curve_panel.h"

#include <algorithm>
#include <cmath>

#include "implot.h"
#include "view/heat_map.h"
#include "view/summary.h"
#include "view/widgets.h"

namespace nullscope::view {

using session::MapKind;

void LayerCurvePanel::refresh(const Ui& ui, const session::Answer& answer) {
  if (data_version_ == ui.document.data_version()) return;
  data_version_ = ui.document.data_version();
  const std::vector<int> separators = positions_of(answer, "[SEP]");
  raw_.clear();
  effective_.clear();
  for (int layer = 0; layer < static_cast<int>(answer.layers.size()); ++layer) {
    raw_.push_back(mean_attention_to(answer, MapKind::kRaw, layer, separators));
    effective_.push_back(mean_attention_to(answer, MapKind::kEffective, layer, separators));
  }
}

void LayerCurvePanel::draw(Ui& ui) {
  heading(ui.theme, "Attention to [SEP] by layer", "mean over heads");
  if (!ui.document.shown()) return;
  refresh(ui, *ui.document.shown());
  double low = 0, high = 0.1;
  int strongest = 0;
  for (size_t i = 0; i < raw_.size(); ++i) {
    for (const double value : {raw_[i], effective_[i]}) {
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (raw_[i] > raw_[static_cast<size_t>(strongest)]) strongest = static_cast<int>(i);
  }
  const int count = static_cast<int>(raw_.size());
  ImGui::PushFont(ui.theme.regular, kSmallSize);
  const ImPlotFlags flags = ImPlotFlags_NoTitle | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect | ImPlotFlags_NoMouseText | ImPlotFlags_NoInputs;
  const float height = std::clamp(ImGui::GetContentRegionAvail().y - 44, 130.0f, 190.0f);
  if (ImPlot::BeginPlot("separators", {-1, height}, flags)) {
    ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoGridLines);
    ImPlot::SetupAxesLimits(-0.3, count - 0.7, low - 0.02 * (high - low), high * 1.12, ImPlotCond_Always);
    std::vector<double> ticks;
    for (int i = 0; i < count; i += label_stride(ImGui::GetContentRegionAvail().x, count, 22)) ticks.push_back(i);
    std::vector<std::string> names;
    for (const double tick : ticks) names.push_back(std::to_string(static_cast<int>(tick)));
    std::vector<const char*> labels;
    for (const std::string& name : names) labels.push_back(name.c_str());
    ImPlot::SetupAxisTicks(ImAxis_X1, ticks.data(), static_cast<int>(ticks.size()), labels.data());
    ImPlot::SetupLegend(ImPlotLocation_NorthWest, ImPlotLegendFlags_Horizontal | ImPlotLegendFlags_NoButtons);
    const auto line = [&](const char* name, const std::vector<double>& values, ImU32 color) {
      ImPlotSpec spec;
      spec.LineColor = ImGui::ColorConvertU32ToFloat4(color);
      spec.LineWeight = 2;
      ImPlot::PlotLine(name, values.data(), count, 1, 0, spec);
    };
    line("raw", raw_, ui.theme.accent);
    line("effective", effective_, ui.theme.contrast);
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
  if (!raw_.empty() && !std::isnan(raw_[static_cast<size_t>(strongest)]))
    muted(ui.theme, "At most in layer " + std::to_string(strongest) + ": " + number_text(raw_[static_cast<size_t>(strongest)]) + " raw, " +
                        number_text(effective_[static_cast<size_t>(strongest)]) + " effective.");
}

}  // namespace nullscope::view
