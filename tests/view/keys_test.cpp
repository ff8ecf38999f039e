#include "view/keys.h"

#include "known_document.h"

using namespace nullscope;
using namespace nullscope::view;
using session::Cell;

TEST_CASE("arrows walk tokens, brackets layers, comma and point heads") {
  session::Document document;
  CHECK_FALSE(press_key(document, "ArrowDown", false));  // nothing to walk on
  show_known_text(document, 4);
  CHECK(press_key(document, "ArrowDown", false));
  CHECK(document.current() == Cell{0, 0});
  press_key(document, "ArrowDown", false);
  press_key(document, "ArrowRight", false);
  CHECK(document.state().pinned == std::vector<Cell>{{1, 1}});
  press_key(document, "ArrowUp", true);
  CHECK(document.state().pinned == std::vector<Cell>{{1, 1}, {0, 1}});
  press_key(document, "ArrowUp", false);  // the edge holds
  CHECK(document.current() == Cell{0, 1});
  press_key(document, "]", false);
  press_key(document, "]", false);
  press_key(document, ".", false);
  CHECK(document.state().head == HeadIndex{1, 1});
  press_key(document, "[", false);
  press_key(document, ",", false);
  press_key(document, ",", false);
  CHECK(document.state().head == HeadIndex{0, 0});
  CHECK(press_key(document, "Escape", false));
  CHECK(document.state().pinned.empty());
  CHECK_FALSE(press_key(document, "a", false));
}
