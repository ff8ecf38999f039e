#include <cstdio>

#include "app/fonts.h"
#include "imgui.h"

namespace nullscope::app {
namespace {

constexpr const char* kRegular[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                    "/Library/Fonts/Arial Unicode.ttf", "C:\\Windows\\Fonts\\segoeui.ttf"};
constexpr const char* kBold[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
                                 "C:\\Windows\\Fonts\\segoeuib.ttf"};
// Scripts that the faces above lack.
constexpr const char* kFallback[] = {"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                                     "/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf"};

template <size_t N>
const char* first_present(const char* const (&paths)[N]) {
  for (const char* path : paths)
    if (FILE* file = std::fopen(path, "rb")) {
      std::fclose(file);
      return path;
    }
  return nullptr;
}

ImFont* add_face(const char* path) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.OversampleH = 2;
  ImFont* font = path ? atlas->AddFontFromFileTTF(path, 0, &config) : nullptr;
  if (font == nullptr) return atlas->AddFontDefault();
  if (const char* fallback = first_present(kFallback)) {
    config.MergeMode = true;
    atlas->AddFontFromFileTTF(fallback, 0, &config);
  }
  return font;
}

}  // namespace

Fonts load_fonts() {
  Fonts fonts;
  fonts.regular = add_face(first_present(kRegular));
  fonts.bold = first_present(kBold) ? add_face(first_present(kBold)) : fonts.regular;
  return fonts;
}

}  // namespace nullscope::app
