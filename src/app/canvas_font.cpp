#include "app/fonts.h"

#include <cmath>
#include <cstring>

#include <emscripten/emscripten.h>

#include "imgui.h"
#include "imgui_internal.h"

// A glyph of `size` CSS pixels at `density` device pixels each. Writes its advance in CSS pixels
// and its box in device pixels relative to the pen: {advance, left, top (up is positive), width, height}.
EM_JS(void, canvas_font_measure, (unsigned code, float size, float density, int bold, float* out), {
  const pen = Module.fontPen = Module.fontPen || new OffscreenCanvas(256, 256).getContext('2d', {willReadFrequently: true});
  pen.font = (bold ? '600 ' : '400 ') + size * density + 'px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
  const box = pen.measureText(String.fromCodePoint(code));
  const left = Math.floor(-box.actualBoundingBoxLeft) - 1;
  const top = Math.ceil(box.actualBoundingBoxAscent) + 1;
  const width = Math.ceil(box.actualBoundingBoxRight) + 1 - left;
  const height = Math.ceil(box.actualBoundingBoxDescent) + 1 + top;
  const empty = box.actualBoundingBoxRight + box.actualBoundingBoxLeft <= 0;
  HEAPF32.set([box.width / density, left, top, empty ? 0 : width, empty ? 0 : height], out >> 2);
});
// The glyph just measured as coverage, row by row.
EM_JS(void, canvas_font_draw, (unsigned code, int left, int top, int width, int height, unsigned char* pixels), {
  const pen = Module.fontPen;
  if (pen.canvas.width < width || pen.canvas.height < height) {
    const font = pen.font;
    pen.canvas.width = Math.max(width, pen.canvas.width);
    pen.canvas.height = Math.max(height, pen.canvas.height);
    pen.font = font;
  }
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = '#fff';
  pen.fillText(String.fromCodePoint(code), -left, top);
  const data = pen.getImageData(0, 0, width, height).data;
  for (let i = 0; i < width * height; ++i) HEAPU8[pixels + i] = data[4 * i + 3];
});

namespace nullscope::app {
namespace {

// A size is the height of a line, as with Dear ImGui's own loader; shares of it for the usual faces.
constexpr float kAscent = 0.80f, kDescent = 0.20f, kEm = 0.86f;

bool is_surrogate(unsigned code) { return code >= 0xD800 && code <= 0xDFFF; }

// The glyph's number is its code point: the browser finds a face for it.
int glyph_of(ImFontAtlas*, ImFontConfig*, ImWchar code) { return code < 32 || is_surrogate(code) ? 0 : static_cast<int>(code); }
bool contains(ImFontAtlas*, ImFontConfig*, int glyph) { return glyph > 0; }
bool init_source(ImFontAtlas*, ImFontConfig*) { return true; }
bool init_baked(ImFontAtlas*, ImFontConfig* source, ImFontBaked* baked, void*) {
  if (source->MergeMode) return true;
  baked->Ascent = std::round(baked->Size * kAscent);
  baked->Descent = -std::round(baked->Size * kDescent);
  return true;
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, int glyph, ImFontGlyph* out, float* out_advance) {
  const float density = source->RasterizerDensity * baked->RasterizerDensity;
  float measured[5];
  canvas_font_measure(static_cast<unsigned>(glyph), baked->Size * kEm, density, source->FontNo == 1, measured);
  if (out_advance != nullptr) {
    *out_advance = measured[0];
    return true;
  }
  out->AdvanceX = measured[0];
  const int left = static_cast<int>(measured[1]), top = static_cast<int>(measured[2]), width = static_cast<int>(measured[3]), height = static_cast<int>(measured[4]);
  if (width <= 0 || height <= 0) return true;
  const ImFontAtlasRectId pack = ImFontAtlasPackAddRect(atlas, width, height);
  if (pack == ImFontAtlasRectId_Invalid) return false;
  ImTextureRect* rect = ImFontAtlasPackGetRect(atlas, pack);
  ImVector<unsigned char>& pixels = atlas->Builder->TempBuffer;
  pixels.resize(width * height);
  canvas_font_draw(static_cast<unsigned>(glyph), left, top, width, height, pixels.Data);
  const float base = std::round(baked->Ascent);
  out->X0 = static_cast<float>(left) / density;
  out->Y0 = base - static_cast<float>(top) / density;
  out->X1 = out->X0 + static_cast<float>(width) / density;
  out->Y1 = out->Y0 + static_cast<float>(height) / density;
  out->Visible = true;
  out->PackId = pack;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, out, rect, pixels.Data, ImTextureFormat_Alpha8, width);
  return true;
}

const ImFontLoader* canvas_loader() {
  static const ImFontLoader kLoader = [] {
    ImFontLoader loader;
    loader.Name = "canvas";
    loader.FontSrcInit = init_source;
    loader.FontSrcGetGlyphIndexFromCodepoint = glyph_of;
    loader.FontSrcContainsGlyph = contains;
    loader.FontBakedInit = init_baked;
    loader.FontBakedLoadGlyph = load_glyph;
    return loader;
  }();
  return &kLoader;
}

ImFont* add_face(const char* name, unsigned number) {
  ImFontConfig config;
  std::strncpy(config.Name, name, sizeof config.Name - 1);
  config.FontLoader = canvas_loader();
  config.FontNo = number;
  config.SizePixels = 15;
  return ImGui::GetIO().Fonts->AddFont(&config);
}

}  // namespace

Fonts load_fonts() {
  ImGui::GetIO().Fonts->SetFontLoader(canvas_loader());
  return {add_face("regular", 0), add_face("bold", 1)};
}

}  // namespace nullscope::app
