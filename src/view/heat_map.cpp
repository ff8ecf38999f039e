#include "view/heat_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nullscope::view {

using session::Answer;
using session::Cell;
using session::MapKind;

float largest_magnitude(const Answer& answer, MapKind kind, HeadIndex head) {
  float largest = 0;
  const int count = answer.token_count();
  for (int query = 0; query < count; ++query)
    for (int key = 0; key < count; ++key) {
      const float value = std::abs(answer.value(kind, head, {query, key}));
      if (value > largest) largest = value;  // false for nan
    }
  return largest;
}

Scale map_scale(const Answer& answer, MapKind kind, HeadIndex head) {
  if (kind == MapKind::kRaw) return {false, 1};
  const float largest = largest_magnitude(answer, kind, head);
  return {true, largest > 0 ? largest : 1};
}

Picture paint_head(const Answer& answer, MapKind kind, HeadIndex head, const Palette& colors) {
  const int count = answer.token_count();
  Picture picture{count, count, {}};
  picture.pixels.reserve(static_cast<size_t>(count) * static_cast<size_t>(count));
  const bool landed = answer.layer(head.layer) != nullptr;
  const Scale scale = landed ? map_scale(answer, kind, head) : Scale{};
  for (int query = 0; query < count; ++query)
    for (int key = 0; key < count; ++key)
      picture.pixels.push_back(landed ? color_of(colors, scale, answer.value(kind, head, {query, key})) : colors.absent);
  return picture;
}

Scale grid_scale(MapKind kind) { return {kind != MapKind::kRaw, kGridLargest}; }

GridLayout grid_layout(const Answer& answer, int most) {
  return {static_cast<int>(answer.layers.size()), answer.heads, std::min(answer.token_count(), most)};
}

namespace {

// The entry of largest magnitude among the cells that pixel (row, column) of a tile covers.
float tile_value(const Answer& answer, MapKind kind, HeadIndex head, int row, int column, int tile) {
  const int count = answer.token_count();
  const auto begin = [&](int i) { return static_cast<int>(int64_t{i} * count / tile); };
  float best = 0;
  for (int query = begin(row); query < begin(row + 1); ++query)
    for (int key = begin(column); key < begin(column + 1); ++key) {
      const float value = answer.value(kind, head, {query, key});
      if (std::isnan(value)) return value;
      if (std::abs(value) > std::abs(best)) best = value;
    }
  return best;
}

}  // namespace

Picture paint_grid(const Answer& answer, MapKind kind, const Palette& colors, int most) {
  const GridLayout layout = grid_layout(answer, most);
  Picture picture{layout.width(), layout.height(), {}};
  picture.pixels.assign(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height), 0);
  const Scale scale = grid_scale(kind);
  for (int layer = 0; layer < layout.layers; ++layer)
    for (int head = 0; head < layout.heads; ++head)
      for (int row = 0; row < layout.tile; ++row) {
        Rgba* to = picture.pixels.data() + (layer * (layout.tile + 1) + row) * picture.width + head * (layout.tile + 1);
        for (int column = 0; column < layout.tile; ++column)
          *to++ = answer.layer(layer) ? color_of(colors, scale, tile_value(answer, kind, {layer, head}, row, column, layout.tile)) : colors.absent;
      }
  return picture;
}

int rank_in_row(const Answer& answer, MapKind kind, HeadIndex head, Cell cell) {
  const float own = answer.value(kind, head, cell);
  int rank = 1;
  for (int key = 0; key < answer.token_count(); ++key) {
    const float other = answer.value(kind, head, {cell.query, key});
    if (std::isnan(own) ? !std::isnan(other) : other > own) ++rank;
  }
  return rank;
}

double row_sum(const Answer& answer, MapKind kind, HeadIndex head, int query) {
  double sum = 0;
  for (int key = 0; key < answer.token_count(); ++key) sum += static_cast<double>(answer.value(kind, head, {query, key}));
  return sum;
}

std::optional<int> hit_cell(float position, float extent, int count) {
  if (!(position >= 0) || !(position < extent) || count <= 0) return std::nullopt;
  return std::min(count - 1, static_cast<int>(position / extent * static_cast<float>(count)));
}

int label_stride(float extent, int count, float size) {
  if (count <= 0 || !(extent > 0)) return 1;
  const float cell = extent / static_cast<float>(count);
  return std::max(1, static_cast<int>(std::ceil(size / cell)));
}

double mean_attention_to(const Answer& answer, MapKind kind, int layer, const std::vector<int>& keys) {
  const int count = answer.token_count();
  if (answer.layer(layer) == nullptr || keys.empty() || count == 0) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (int head = 0; head < answer.heads; ++head)
    for (int query = 0; query < count; ++query)
      for (const int key : keys) sum += static_cast<double>(answer.value(kind, {layer, head}, {query, key}));
  return sum / answer.heads / count;
}

std::vector<int> positions_of(const Answer& answer, const std::string& token) {
  std::vector<int> out;
  for (int i = 0; i < answer.token_count(); ++i)
    if (answer.tokens[static_cast<size_t>(i)] == token) out.push_back(i);
  return out;
}

}  // namespace nullscope::view
