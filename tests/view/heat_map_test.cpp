#include "view/heat_map.h"

#include <cmath>

#include "known_document.h"

using namespace nullscope;
using namespace nullscope::view;
using session::MapKind;

TEST_CASE("a head's picture has the colour of every entry, queries down") {
  session::Document document;
  show_known_text(document, 5);
  const session::Answer& answer = *document.shown();
  for (const MapKind kind : session::kMapKinds) {
    const Picture picture = paint_head(answer, kind, {1, 2}, palette(true));
    REQUIRE(picture.width == 5);
    REQUIRE(picture.pixels.size() == 25);
    const Scale scale = map_scale(answer, kind, {1, 2});
    for (int q = 0; q < 5; ++q)
      for (int k = 0; k < 5; ++k) CHECK(picture.pixels[static_cast<size_t>(q * 5 + k)] == color_of(palette(true), scale, answer.value(kind, {1, 2}, {q, k})));
  }
  CHECK(map_scale(answer, MapKind::kRaw, {1, 2}).largest == 1);
  CHECK(map_scale(answer, MapKind::kNullPart, {1, 2}).largest == doctest::Approx(0.25));
}

TEST_CASE("a layer that has not landed has the colour of nothing") {
  session::Document document;
  const int64_t number = document.ask("known", std::nullopt).number;
  REQUIRE(document.receive(support::tokens_message(number, {"[CLS]", "[SEP]"}, "known", 2, 1)));
  REQUIRE(document.receive(support::layer_message(number, 1, 2, 1)));
  const Picture picture = paint_grid(*document.shown(), MapKind::kRaw, palette(false));
  CHECK(picture.pixels[0] == palette(false).absent);
  CHECK(picture.pixels[static_cast<size_t>(3 * picture.width)] != palette(false).absent);
  CHECK(paint_head(*document.shown(), MapKind::kRaw, {0, 0}, palette(false)).pixels[0] == palette(false).absent);
}

TEST_CASE("the grid puts layers down, heads across, with a gap between tiles") {
  session::Document document;
  show_known_text(document, 4);
  const Picture picture = paint_grid(*document.shown(), MapKind::kEffective, palette(false));
  CHECK(picture.width == 3 * 5);
  CHECK(picture.height == 2 * 5);
  const auto at = [&](int x, int y) { return picture.pixels[static_cast<size_t>(y * picture.width + x)]; };
  CHECK(at(4, 0) == 0);
  CHECK(at(0, 4) == 0);
  CHECK(at(2 * 5 + 1, 5 + 3) == color_of(palette(false), grid_scale(MapKind::kEffective), document.shown()->value(MapKind::kEffective, {1, 2}, {3, 1})));
}

TEST_CASE("a shrunken tile keeps its strongest entries") {
  session::Document document;
  show_known_text(document, 9);
  const Picture picture = paint_grid(*document.shown(), MapKind::kRaw, palette(false), 2);
  CHECK(picture.width == 3 * 3);
  // Key 0 is the strongest of every row, and lies in the first pixel of each.
  CHECK(picture.pixels[0] == color_of(palette(false), grid_scale(MapKind::kRaw), document.shown()->value(MapKind::kRaw, {0, 0}, {3, 0})));
}

TEST_CASE("rank in row, row sum, mean attention to some keys") {
  session::Document document;
  show_known_text(document, 4);
  const session::Answer& answer = *document.shown();
  CHECK(rank_in_row(answer, MapKind::kRaw, {0, 0}, {1, 0}) == 1);
  CHECK(rank_in_row(answer, MapKind::kRaw, {0, 0}, {1, 3}) == 2);        // equals keys 1 and 2
  CHECK(rank_in_row(answer, MapKind::kEffective, {0, 0}, {1, 3}) == 2);
  CHECK(rank_in_row(answer, MapKind::kEffective, {0, 0}, {1, 2}) == 3);
  CHECK(rank_in_row(answer, MapKind::kEffective, {0, 0}, {1, 1}) == 4);
  CHECK(row_sum(answer, MapKind::kRaw, {1, 1}, 2) == doctest::Approx(1));
  CHECK(row_sum(answer, MapKind::kEffective, {1, 1}, 2) == doctest::Approx(1 - 0.375));
  CHECK(mean_attention_to(answer, MapKind::kNullPart, 0, {1, 2}) == doctest::Approx(0.375));
  CHECK(positions_of(answer, "[SEP]") == std::vector<int>{3});
  CHECK(std::isnan(mean_attention_to(answer, MapKind::kRaw, 0, {})));
}

TEST_CASE("hits and labels") {
  CHECK(hit_cell(0, 100, 10) == 0);
  CHECK(hit_cell(99.9f, 100, 10) == 9);
  CHECK(hit_cell(9.999f, 100, 10) == 0);
  CHECK(hit_cell(10, 100, 10) == 1);
  CHECK_FALSE(hit_cell(100, 100, 10));
  CHECK_FALSE(hit_cell(-0.1f, 100, 10));
  CHECK_FALSE(hit_cell(std::nanf(""), 100, 10));
  CHECK_FALSE(hit_cell(1, 100, 0));
  CHECK(label_stride(120, 10, 12) == 1);
  CHECK(label_stride(120, 11, 12) == 2);
  CHECK(label_stride(240, 100, 12) == 5);
  CHECK(label_stride(0, 100, 12) == 1);
}
