#include "view/summary.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "view/heat_map.h"

namespace nullscope::view {

using session::Answer;
using session::Cell;
using session::Document;
using session::MapKind;

std::string head_name(HeadIndex head) { return "L" + std::to_string(head.layer) + " H" + std::to_string(head.head); }

std::string map_title(MapKind kind) {
  switch (kind) {
    case MapKind::kRaw: return "raw attention";
    case MapKind::kEffective: return "effective attention";
    case MapKind::kNullPart: return "difference, raw \xE2\x88\x92 effective";
  }
  return {};
}

std::string number_text(double value) {
  if (std::isnan(value)) return "not a number";
  std::array<char, 32> text{};
  const double size = std::abs(value);
  const char* format = size != 0 && size < 0.0005 ? "%.1e" : size < 1 ? "%.3f" : "%.3g";
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string ordinal(int rank) {
  const int last = rank % 10, tens = rank % 100;
  const char* ending = tens >= 11 && tens <= 13 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return std::to_string(rank) + ending;
}

std::string token_text(const Answer& answer, int position) {
  if (position < 0 || position >= answer.token_count()) return "?";
  return answer.tokens[static_cast<size_t>(position)] + " (" + std::to_string(position) + ")";
}

namespace {

std::string percent(double share) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
  return text.data();
}

// The key that the row of `query` attends to most.
int strongest_key(const Answer& answer, HeadIndex head, int query) {
  int best = 0;
  for (int key = 1; key < answer.token_count(); ++key)
    if (answer.value(MapKind::kRaw, head, {query, key}) > answer.value(MapKind::kRaw, head, {query, best})) best = key;
  return best;
}

}  // namespace

std::string summary(const Document& document) {
  if (!document.shown()) return "Nothing is computed yet.";
  const Answer& answer = *document.shown();
  const HeadIndex head = document.state().head;
  if (answer.layer(head.layer) == nullptr) return "Layer " + std::to_string(head.layer) + " is not computed yet.";
  const auto current = document.current();
  if (!current) {
    const session::LayerMaps& maps = *answer.layer(head.layer);
    const auto rank = maps.rank(head.head);
    const auto hidden = answer.token_count() - rank;
    return head_name(head) + ": " + std::to_string(answer.token_count()) + " tokens, rank " + std::to_string(rank) + ", so " + std::to_string(hidden) +
           (hidden == 1 ? " direction" : " directions") + " of every row cannot reach the head's output.";
  }
  const int key = strongest_key(answer, head, current->query);
  const Cell cell{current->query, key};
  const std::string name = answer.tokens[static_cast<size_t>(cell.query)];
  return "Row \xE2\x80\x9C" + name + "\xE2\x80\x9D: " + percent(static_cast<double>(answer.value(MapKind::kRaw, head, cell))) + " of its attention goes to " +
         answer.tokens[static_cast<size_t>(key)] + "; in the effective map that cell is " +
         number_text(static_cast<double>(answer.value(MapKind::kEffective, head, cell))) + ", rank " +
         std::to_string(rank_in_row(answer, MapKind::kEffective, head, cell)) + " of " + std::to_string(answer.token_count()) + ".";
}

std::string same_because(const Document& document) {
  if (!document.shown()) return {};
  const Answer& answer = *document.shown();
  const HeadIndex head = document.state().head;
  const session::LayerMaps* maps = answer.layer(head.layer);
  if (maps == nullptr || maps->rank(head.head) < answer.token_count()) return {};
  return "Raw and effective attention are the same here: with " + std::to_string(answer.token_count()) +
         " tokens the values of this head have full rank, so every change of the attention changes the output. "
         "They part once a text has more tokens than the head has dimensions (64 in BERT-Base).";
}

}  // namespace nullscope::view
