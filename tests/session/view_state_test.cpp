#include "session/view_state.h"

#include <doctest/doctest.h>

using namespace nullscope;
using namespace nullscope::session;

namespace {

ViewState full_state() {
  ViewState state;
  state.text = "100 % & = # \xC3\xA4\xE4\xBD\xA0\n[MASK]+";
  state.pair = "";
  state.head = {7, 0};
  state.pinned = {{0, 0}, {53, 99}};
  state.map = MapKind::kNullPart;
  state.variant = analysis::EffectiveVariant::kProjectedValueNoBias;
  state.cut = 0.1 + 0.2;
  state.theme = Theme::kDark;
  return state;
}

}  // namespace

TEST_CASE("a link gives back the state it was made of") {
  for (const ViewState& state : {full_state(), ViewState{}}) {
    const auto read = read_view_state(write_view_state(state));
    REQUIRE(read);
    CHECK(*read == state);
  }
}

TEST_CASE("a link says everything, zero and off included, in plain letters") {
  CHECK(write_view_state({}) == "v=1&text=&has_pair=0&pair=&layer=0&head=0&pinned=&map=effective&variant=value&cut=default&theme=system");
  for (const char c : write_view_state(full_state())) CHECK((c > ' ' && c < 0x7F));
}

TEST_CASE("absent fields keep their defaults, unknown ones are passed over") {
  const auto read = read_view_state("v=1&layer=3&later=yes");
  REQUIRE(read);
  CHECK(read->head == HeadIndex{3, 0});
  CHECK(read->theme == Theme::kSystem);
}

TEST_CASE("what cannot be read is named") {
  for (const auto& [text, field] : {std::pair("v=2", "v"), std::pair("layer=-1", "layer"), std::pair("head=1x", "head"), std::pair("pinned=1", "pinned"),
                                    std::pair("pinned=1.2,,", "pinned"), std::pair("map=blue", "map"), std::pair("variant=none", "variant"), std::pair("cut=2", "cut"),
                                    std::pair("cut=nan", "cut"), std::pair("cut=", "cut"), std::pair("text=%4", "text"), std::pair("text=%zz", "text"), std::pair("has_pair=maybe", "has_pair"),
                                    std::pair("theme=", "theme"), std::pair("layer=99999999999", "layer")}) {
    CAPTURE(text);
    const auto read = read_view_state(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find(field) != std::string::npos);
  }
}
