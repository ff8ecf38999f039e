#include "view/guesses_panel.h"

#include <algorithm>

#include "view/heat_map.h"
#include "view/summary.h"
#include "view/widgets.h"

namespace nullscope::view {
namespace {

constexpr int kShown = 5;
constexpr float kNameWidth = 96, kValueWidth = 50, kLine = 21;

void draw_bars(const Ui& ui, const session::Guesses& guesses, int position) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float room = std::min(320.0f, ImGui::GetContentRegionAvail().x) - kNameWidth - kValueWidth;
  const auto count = std::min<int64_t>(kShown, guesses.ids.dim(1));
  for (int64_t k = 0; k < count; ++k) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float probability = guesses.probabilities(position, k);
    const std::string name = fitted(ui.theme, guesses.tokens[static_cast<size_t>(position)][static_cast<size_t>(k)], kTextSize, kNameWidth - 8);
    draw->AddText(ui.theme.regular, kTextSize, at, ui.theme.ink, name.c_str());
    draw->AddRectFilled({at.x + kNameWidth, at.y + 3}, {at.x + kNameWidth + std::max(1.0f, room * std::clamp(probability, 0.0f, 1.0f)), at.y + 13}, ui.theme.accent, 2);
    draw->AddText(ui.theme.regular, kTextSize, {at.x + kNameWidth + room + 6, at.y}, ui.theme.muted, number_text(static_cast<double>(probability)).c_str());
    ImGui::Dummy({kNameWidth + room + kValueWidth, kLine - 6});
  }
}

}  // namespace

void draw_guesses(Ui& ui) {
  if (!ui.document.shown()) return;
  const session::Answer& answer = *ui.document.shown();
  const auto current = ui.document.current();
  std::vector<int> positions = positions_of(answer, "[MASK]");
  if (current) positions = {current->query};
  if (positions.empty()) return;
  if (!answer.guesses) {
    if (!ui.document.model().no_mlm.empty()) muted(ui.theme, "No guesses for words: " + ui.document.model().no_mlm);
    return;
  }
  if (positions.size() > 3) positions.resize(3);
  for (const int position : positions) {
    heading(ui.theme, ("Guesses for " + token_text(answer, position)).c_str(), "masked-word head");
    draw_bars(ui, *answer.guesses, position);
    ImGui::Dummy({0, 4});
  }
}

}  // namespace nullscope::view
