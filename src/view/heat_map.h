// Heat maps as pixels, and the plain arithmetic of their axes: no drawing here, so that tests
// can look at every number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/answer.h"
#include "view/color_map.h"

namespace nullscope::view {

// A picture of width x height pixels, row-major, rows are queries.
struct Picture {
  int width = 0, height = 0;
  std::vector<Rgba> pixels;
};

// Largest |value| of one head's map, nan left out; 1 for raw maps, so that pictures compare.
float largest_magnitude(const session::Answer& answer, session::MapKind kind, HeadIndex head);
Scale map_scale(const session::Answer& answer, session::MapKind kind, HeadIndex head);

// One head, a pixel an entry: [T, T].
Picture paint_head(const session::Answer& answer, session::MapKind kind, HeadIndex head, const Palette& colors);

// Every head in one picture: heads across, layers down, with a gap of one transparent pixel
// after each tile. Maps of more than `most` tokens are shrunk to at most `most` pixels a side:
// a pixel then shows its entry of largest magnitude, so that thin lines stay visible.
// All tiles share one scale, so that heads compare.
struct GridLayout {
  int layers = 0, heads = 0, tile = 0;  // tile: pixels a side, without the gap
  int width() const { return heads * (tile + 1); }
  int height() const { return layers * (tile + 1); }
};
inline constexpr int kMostTilePixels = 64;
// Most of attention is small: the last colour stands for this and more.
inline constexpr float kGridLargest = 0.3f;
Scale grid_scale(session::MapKind kind);
GridLayout grid_layout(const session::Answer& answer, int most = kMostTilePixels);
Picture paint_grid(const session::Answer& answer, session::MapKind kind, const Palette& colors, int most = kMostTilePixels);

// 1 for the largest of the row; entries that are equal share the better rank. nan ranks last.
int rank_in_row(const session::Answer& answer, session::MapKind kind, HeadIndex head, session::Cell cell);
double row_sum(const session::Answer& answer, session::MapKind kind, HeadIndex head, int query);

// Index of the cell that holds `position` when `count` cells fill 0..extent; nothing outside.
std::optional<int> hit_cell(float position, float extent, int count);

// Every how many-th label is shown so that labels `size` high fit cells of extent / count.
int label_stride(float extent, int count, float size);

// Mean over heads and queries of the attention that goes to the keys in `keys`, of one layer;
// nan where the layer has not landed or `keys` is empty.
double mean_attention_to(const session::Answer& answer, session::MapKind kind, int layer, const std::vector<int>& keys);
std::vector<int> positions_of(const session::Answer& answer, const std::string& token);

}  // namespace nullscope::view
