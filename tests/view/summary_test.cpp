#include "view/summary.h"

#include <cmath>

#include "known_document.h"

using namespace nullscope;
using namespace nullscope::view;

TEST_CASE("numbers and ordinals as people write them") {
  CHECK(number_text(0.12345) == "0.123");
  CHECK(number_text(0) == "0.000");
  CHECK(number_text(2.1e-7) == "2.1e-07");
  CHECK(number_text(12.34) == "12.3");
  CHECK(number_text(std::nan("")) == "not a number");
  CHECK(ordinal(1) == "1st");
  CHECK(ordinal(22) == "22nd");
  CHECK(ordinal(3) == "3rd");
  CHECK(ordinal(11) == "11th");
  CHECK(ordinal(112) == "112th");
  CHECK(ordinal(46) == "46th");
}

TEST_CASE("the sentence speaks of the current row, else of the head") {
  session::Document document;
  CHECK(summary(document) == "Nothing is computed yet.");
  show_known_text(document, 4);
  document.select_head({1, 2});
  CHECK(summary(document) == "L1 H2: 4 tokens, rank 3, so 1 direction of every row cannot reach the head's output.");
  document.pin({1, 2}, false);
  CHECK(summary(document) == "Row \xE2\x80\x9Ct1\xE2\x80\x9D: 51 % of its attention goes to [CLS]; in the effective map that cell is 0.513, rank 1 of 4.");
  CHECK(same_because(document).empty());
}
