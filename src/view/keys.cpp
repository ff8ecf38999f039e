#include "view/keys.h"

#include <algorithm>

namespace nullscope::view {
namespace {

constexpr KeyHelp kHelp[] = {
    {"\xE2\x86\x91 \xE2\x86\x93", "token before or after that looks (row)"},
    {"\xE2\x86\x90 \xE2\x86\x92", "token before or after that is looked at (column)"},
    {"Shift + arrow", "keep the pinned cell and pin the next one too"},
    {"[ ]", "layer before, after"},
    {", .", "head before, after"},
    {"Esc", "let go of the pinned cells"},
    {"?", "these keys"},
};

bool move_cell(session::Document& document, int query, int key, bool add) {
  if (!document.shown()) return false;
  const int last = document.shown()->token_count() - 1;
  session::Cell cell;
  if (!document.state().pinned.empty()) {
    cell = document.state().pinned.back();
    cell = {std::clamp(cell.query + query, 0, last), std::clamp(cell.key + key, 0, last)};
    if (cell == document.state().pinned.back()) return true;
  }
  document.hover(std::nullopt);
  document.pin(cell, add);
  return true;
}

bool move_head(session::Document& document, int layers, int heads) {
  if (!document.shown()) return false;
  HeadIndex head = document.state().head;
  head.layer += layers;
  head.head += heads;
  document.select_head(head);
  return true;
}

}  // namespace

std::span<const KeyHelp> key_help() { return kHelp; }

bool press_key(session::Document& document, std::string_view key, bool shift) {
  if (key == "ArrowUp") return move_cell(document, -1, 0, shift);
  if (key == "ArrowDown") return move_cell(document, 1, 0, shift);
  if (key == "ArrowLeft") return move_cell(document, 0, -1, shift);
  if (key == "ArrowRight") return move_cell(document, 0, 1, shift);
  if (key == "[") return move_head(document, -1, 0);
  if (key == "]") return move_head(document, 1, 0);
  if (key == ",") return move_head(document, 0, -1);
  if (key == ".") return move_head(document, 0, 1);
  if (key != "Escape") return false;
  document.clear_pins();
  return true;
}

}  // namespace nullscope::view
