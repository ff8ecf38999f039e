// What every panel is handed: the document, the looks, and the ways out.
#pragma once

#include <functional>

#include "session/document.h"
#include "view/theme.h"

namespace nullscope::view {

struct Ui {
  session::Document& document;
  Theme theme;
  std::function<void(session::Request)> send;  // to the engine
  std::function<void()> show_long_text;        // puts the default text in the text box
};

}  // namespace nullscope::view
