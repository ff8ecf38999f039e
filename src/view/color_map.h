// Colour tables for heat maps, made by formula in OKLab so that equal steps of the value look
// equally large, also to colour-blind eyes and in grey: lightness alone carries the order.
//
//   sequential  one end of the lightness scale at 0, the other at 1; for probabilities
//   diverging   the background's grey at 0, blue below and orange above would be the usual
//               order; here blue is positive, as it is the hue of "attends"; for signed numbers
//
// OKLab: Bjorn Ottosson, "A perceptual color space for image processing", 2020.
#pragma once

#include <array>
#include <cstdint>

namespace nullscope::view {

using Rgba = uint32_t;  // 0xAABBGGRR, as Dear ImGui and RGBA textures have it

inline constexpr int kTableSize = 256;
using ColorTable = std::array<Rgba, kTableSize>;

struct Palette {
  ColorTable sequential;  // entry 0 is value 0, the last is value 1
  ColorTable diverging;   // entry 0 is -1, the middle 0, the last +1
  Rgba not_a_number;      // in no table
  Rgba absent;            // nothing has landed here yet
};
const Palette& palette(bool dark);

// How numbers meet the table. The square root spreads small values, of which attention is made.
struct Scale {
  bool is_signed = false;
  float largest = 1;  // |value| that gets the last colour; beyond it the last colour stays
};
// Position 0..1 in the table: sqrt(v / largest), and for signed maps (1 + sign(v) sqrt(|v| / largest)) / 2.
float scale_position(Scale scale, float value);

Rgba color_of(const Palette& palette, Scale scale, float value);

struct OkLab {
  double lightness, a, b;
};
OkLab oklab_of(Rgba color);

}  // namespace nullscope::view
