// The two faces the views need. In the page glyphs are drawn by the browser's own text engine
// (canvas_font.cpp), so that every script the visitor can read shows, with nothing to download;
// on the desktop they come from the system's folders (desktop_font.cpp).
#pragma once

struct ImFont;

namespace nullscope::app {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
};
Fonts load_fonts();

}  // namespace nullscope::app
