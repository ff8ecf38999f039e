#include "view/inspector_panel.h"

#include <algorithm>
#include <cmath>

#include "view/heat_map.h"
#include "view/summary.h"
#include "view/widgets.h"

namespace nullscope::view {

using analysis::EffectiveVariant;
using session::Answer;
using session::Cell;
using session::LayerMaps;
using session::MapKind;

namespace {

// Largest output residual that still counts as rounding; the promise of the issue that asked for it.
constexpr double kSoundResidual = 1e-5;
constexpr float kPlotHeight = 84;
constexpr float kLeastLogCut = -8, kMostLogCut = 0;

struct VariantName {
  EffectiveVariant variant;
  const char* label;
};
constexpr VariantName kVariants[] = {
    {EffectiveVariant::kValue, "V, with bias"},
    {EffectiveVariant::kValueNoBias, "V, without bias"},
    {EffectiveVariant::kValueAndOnes, "V and ones (keeps row sums)"},
    {EffectiveVariant::kProjectedValue, "V projected"},
    {EffectiveVariant::kProjectedValueNoBias, "V projected, without bias"},
};

void draw_singular_values(const Ui& ui, const LayerMaps& maps, int head) {
  heading(ui.theme, "Singular values", "largest first");
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, kPlotHeight});
  const auto count = static_cast<int>(maps.singular_values.dim(1));
  if (count == 0) return;
  const float largest = std::max(maps.singular_values(head, 0), 1e-30f);
  const float step = width / static_cast<float>(count + 1), bottom = corner.y + kPlotHeight;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto rank = static_cast<int>(maps.rank(head));
  for (int i = 0; i < count; ++i) {
    const float x = corner.x + step * static_cast<float>(i);
    const float height = std::max(1.0f, (kPlotHeight - 4) * std::clamp(maps.singular_values(head, i) / largest, 0.0f, 1.0f));
    draw->AddRectFilled({x, bottom - height}, {x + std::max(1.0f, step - 1.2f), bottom}, i < rank ? ui.theme.accent : ui.theme.border);
  }
  const float cut = corner.x + step * (static_cast<float>(rank) + 0.2f);
  draw->AddLine({cut, corner.y}, {cut, bottom}, ui.theme.contrast, 2);
  if (!ImGui::IsItemHovered()) return;
  if (const auto i = hit_cell(ImGui::GetMousePos().x - corner.x, step * static_cast<float>(count), count))
    ImGui::SetTooltip("%s value: %s\n%s", ordinal(*i + 1).c_str(), number_text(static_cast<double>(maps.singular_values(head, *i))).c_str(),
                      *i < rank ? "counts" : "at or below the cut: counts as zero");
}

void draw_variant(Ui& ui) {
  const auto current = std::find_if(std::begin(kVariants), std::end(kVariants), [&](const VariantName& v) { return v.variant == ui.document.state().variant; });
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##variant", current->label)) return;
  for (const VariantName& each : kVariants)
    if (ImGui::Selectable(each.label, each.variant == current->variant) && ui.document.set_variant(each.variant)) ui.send(ui.document.ask_again());
  ImGui::EndCombo();
}

void draw_cell(const Ui& ui, const Answer& answer, Cell cell, const char* title) {
  const HeadIndex head = ui.document.state().head;
  heading(ui.theme, title);
  fact(ui.theme, "from", fitted(ui.theme, token_text(answer, cell.query), kTextSize, 150));
  fact(ui.theme, "to", fitted(ui.theme, token_text(answer, cell.key), kTextSize, 150));
  for (const MapKind kind : {MapKind::kRaw, MapKind::kEffective})
    fact(ui.theme, kind == MapKind::kRaw ? "raw" : "effective",
         number_text(static_cast<double>(answer.value(kind, head, cell))) + " \xC2\xB7 " + ordinal(rank_in_row(answer, kind, head, cell)));
}

}  // namespace

void InspectorPanel::draw_cut(Ui& ui, const LayerMaps& maps, int head) {
  ImGui::BeginDisabled(!ui.document.model().live);
  draw_variant(ui);
  if (!dragging_) log_cut_ = std::clamp(std::log10(std::max(maps.cut(head), 1e-30f)), kLeastLogCut, kMostLogCut);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 62);
  char text[32];
  std::snprintf(text, sizeof text, "cut %.1e", std::pow(10.0, static_cast<double>(log_cut_)));
  ImGui::SliderFloat("##cut", &log_cut_, kLeastLogCut, kMostLogCut, text, ImGuiSliderFlags_NoInput);
  dragging_ = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit() && ui.document.set_cut(std::pow(10.0, static_cast<double>(log_cut_)))) ui.send(ui.document.ask_again());
  ImGui::SameLine(0, 6);
  ImGui::BeginDisabled(!ui.document.state().cut);
  if (ImGui::Button("default", {-1, 0}) && ui.document.set_cut(std::nullopt)) ui.send(ui.document.ask_again());
  ImGui::EndDisabled();
  ImGui::EndDisabled();
  if (!ui.document.model().live) muted(ui.theme, "The cut and the choice of values can be moved once the model is loaded.");
}

void InspectorPanel::draw(Ui& ui) {
  heading(ui.theme, "Inspector");
  if (!ui.document.shown()) return;
  const Answer& answer = *ui.document.shown();
  const HeadIndex head = ui.document.state().head;
  const LayerMaps* maps = answer.layer(head.layer);
  if (maps == nullptr) return muted(ui.theme, "Layer " + std::to_string(head.layer) + " is not computed yet.");
  const auto rank = static_cast<int>(maps->rank(head.head));
  const double residual = static_cast<double>(maps->output_residual(head.head));
  const bool sound = residual <= kSoundResidual;
  const float* sums = maps->row_sum.block(head.head);
  const auto [least, most] = std::minmax_element(sums, sums + answer.token_count());
  fact(ui.theme, "tokens T", std::to_string(answer.token_count()));
  fact(ui.theme, "rank of V", std::to_string(rank));
  fact(ui.theme, "null dimension T \xE2\x88\x92 rank", std::to_string(answer.token_count() - rank));
  fact(ui.theme, "Pearson raw, effective", number_text(static_cast<double>(maps->pearson(head.head))));
  fact(ui.theme, "max |A V \xE2\x88\x92 A_eff V|", number_text(residual) + (sound ? " \xE2\x9C\x93" : " \xE2\x9C\x97"), sound ? ui.theme.good : ui.theme.bad);
  fact(ui.theme, "row sum, effective", number_text(static_cast<double>(*least)) + " \xE2\x80\xA6 " + number_text(static_cast<double>(*most)));
  ImGui::Dummy({0, 4});
  draw_singular_values(ui, *maps, head.head);
  draw_cut(ui, *maps, head.head);
  ImGui::Dummy({0, 4});

  const auto& pinned = ui.document.state().pinned;
  if (const auto hovered = ui.document.hovered(); hovered && pinned.empty()) draw_cell(ui, answer, *hovered, "Cell under the pointer");
  for (size_t i = pinned.size(); i-- > 0 && pinned.size() - i <= 4;) draw_cell(ui, answer, pinned[i], "Pinned cell");
  if (pinned.empty() && !ui.document.hovered()) muted(ui.theme, "Point at a cell of a map to read it, click to pin it.");
  ImGui::Dummy({0, 4});
  heading(ui.theme, "What not to conclude");
  muted(ui.theme, "\xE2\x80\x9C" "Effective\xE2\x80\x9D speaks of this head's output only. Entries may be negative and rows need not sum to 1. "
                  "It says nothing of what later layers do with that output.");
}

}  // namespace nullscope::view
