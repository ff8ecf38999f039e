// Sentences about what is shown: the one-sentence summary for the canvas, the live region of the
// page and the foot of the maps. Numbers are printed here so that every place agrees.
#pragma once

#include <string>

#include "session/document.h"

namespace nullscope::view {

std::string head_name(HeadIndex head);             // "L7 H6"
std::string map_title(session::MapKind kind);      // "raw attention"
std::string number_text(double value);             // three significant digits, "not a number" for nan
std::string ordinal(int rank);                     // "1st", "46th"
// The token as the views show it, with its position: "letters (53)".
std::string token_text(const session::Answer& answer, int position);

// About the selected head, and the current cell's row if there is one.
std::string summary(const session::Document& document);
// Why raw and effective are the same here; "" when they differ.
std::string same_because(const session::Document& document);

}  // namespace nullscope::view
