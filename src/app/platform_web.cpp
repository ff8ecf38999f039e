// Dear ImGui on a canvas without GLFW: the page's own events, so that touch,
// pens, input methods, the clipboard and high resolution screens work, and text
// fields elsewhere in the page keep their keys.
#include "app/platform.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#include <GLES3/gl3.h>
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"

namespace {

constexpr int kSettlingFrames = 3;  // pop-ups and layouts settle a frame or two after their event

void (*draw_panels)() = nullptr;
int frames_left = kSettlingFrames;
int frames_drawn = 0;
bool frame_requested = false;
bool context_lost = false;
double last_time = 0;
float background[3] = {0, 0, 0};
std::string clipboard;
bool typing = false;

EM_BOOL draw_frame(double milliseconds, void*);

void request_frame() {
  if (frame_requested || context_lost) return;
  frame_requested = true;
  emscripten_request_animation_frame(draw_frame, nullptr);
}

}  // namespace

void nullscope::app::platform_wake() {
  frames_left = kSettlingFrames;
  request_frame();
}

void nullscope::app::platform_background(float red, float green, float blue) {
  background[0] = red;
  background[1] = green;
  background[2] = blue;
}

using nullscope::app::platform_wake;

// ---- page -> Dear ImGui ----------------------------------------------------
extern "C" {
// The graphics card forgot everything: what Dear ImGui keeps there is made again.
EMSCRIPTEN_KEEPALIVE void page_context(int lost) {
  context_lost = lost;
  if (lost) return;
  ImGui_ImplOpenGL3_DestroyDeviceObjects();
  platform_wake();
}
EMSCRIPTEN_KEEPALIVE void page_resized(double css_width, double css_height, double ratio) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(css_width), static_cast<float>(css_height));
  io.DisplayFramebufferScale = ImVec2(static_cast<float>(ratio), static_cast<float>(ratio));
  platform_wake();
}
// kind: 0 move, 1 press, 2 release, 3 leave, 4 cancelled. A touch has no hover: its place is
// sent one frame before its press, and taken away after its release.
EMSCRIPTEN_KEEPALIVE void page_pointer(int kind, float x, float y, int button, int touch, int shift) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  // A touch that became a scroll of the page (4) is let go of elsewhere, so that it is no tap.
  if (kind < 3) io.AddMousePosEvent(x, y);
  if (kind == 4) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  if (kind == 1 || kind == 2 || kind == 4) io.AddMouseButtonEvent(button, kind == 1);
  if (kind == 3 || (kind == 2 && touch)) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  platform_wake();
}
EMSCRIPTEN_KEEPALIVE void page_wheel(float x, float y) {
  ImGui::GetIO().AddMouseWheelEvent(x, y);
  platform_wake();
}
EMSCRIPTEN_KEEPALIVE void page_key(const char* name, int down, int mods) {
  static const struct { const char* name; ImGuiKey key; } kKeys[] = {
      {"ArrowLeft", ImGuiKey_LeftArrow}, {"ArrowRight", ImGuiKey_RightArrow},
      {"ArrowUp", ImGuiKey_UpArrow}, {"ArrowDown", ImGuiKey_DownArrow},
      {"Backspace", ImGuiKey_Backspace}, {"Delete", ImGuiKey_Delete},
      {"End", ImGuiKey_End}, {"Enter", ImGuiKey_Enter}, {"Escape", ImGuiKey_Escape},
      {"Home", ImGuiKey_Home}, {"Insert", ImGuiKey_Insert},
      {"PageDown", ImGuiKey_PageDown}, {"PageUp", ImGuiKey_PageUp},
      {"Tab", ImGuiKey_Tab}, {" ", ImGuiKey_Space}};
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, mods & 1);
  io.AddKeyEvent(ImGuiMod_Shift, mods & 2);
  io.AddKeyEvent(ImGuiMod_Alt, mods & 4);
  io.AddKeyEvent(ImGuiMod_Super, mods & 8);
  ImGuiKey key = ImGuiKey_None;
  if (std::strlen(name) == 1) {
    const char c = name[0];
    if (c >= 'a' && c <= 'z') key = static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'));
    if (c >= 'A' && c <= 'Z') key = static_cast<ImGuiKey>(ImGuiKey_A + (c - 'A'));
    if (c >= '0' && c <= '9') key = static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'));
  }
  for (const auto& k : kKeys)
    if (std::strcmp(k.name, name) == 0) key = k.key;
  if (key != ImGuiKey_None) io.AddKeyEvent(key, down);
  platform_wake();
}
EMSCRIPTEN_KEEPALIVE void page_text(const char* text) {
  ImGui::GetIO().AddInputCharactersUTF8(text);
  platform_wake();
}
EMSCRIPTEN_KEEPALIVE void page_clipboard(const char* text) { clipboard = text; platform_wake(); }
EMSCRIPTEN_KEEPALIVE void page_focus(int focused) {
  ImGui::GetIO().AddFocusEvent(focused);
  platform_wake();
}
EMSCRIPTEN_KEEPALIVE int page_frames_drawn() { return frames_drawn; }
}

// ---- Dear ImGui -> page ----------------------------------------------------
EM_JS(void, page_copy, (const char* text), {
  navigator.clipboard?.writeText(UTF8ToString(text)).catch(() => {});
});
EM_JS(void, page_cursor, (const char* name), {
  Module.canvas.style.cursor = UTF8ToString(name);
});
// A field of the page takes over the keys while a text box is active: it brings
// up on-screen keyboards and input methods, which a canvas cannot.
EM_JS(void, page_typing, (int on, float x, float y, float height), {
  const field = Module.textField;
  const box = Module.canvas.getBoundingClientRect();
  field.style.left = box.left + x + 'px';
  field.style.top = box.top + y + 'px';
  field.style.height = height + 'px';
  // Never from a field elsewhere in the page.
  const free = document.activeElement === Module.canvas || document.activeElement === document.body;
  if (on && free) field.focus({preventScroll: true});
  if (!on && document.activeElement === field) Module.canvas.focus({preventScroll: true});
});
EM_JS(int, page_listen, (), {
  const canvas = Module.canvas;
  const field = Module.textField = document.createElement('textarea');
  field.setAttribute('aria-label', 'text input');
  field.autocapitalize = 'off';
  field.spellcheck = false;
  field.tabIndex = -1;
  // 16 px and more: iOS zooms into smaller fields.
  field.style.cssText = 'position:fixed;width:1px;padding:0;border:0;resize:none;' +
      'opacity:0;font-size:16px;pointer-events:none;overflow:hidden';
  canvas.after(field);
  const utf8 = (text, call) => {
    const at = stringToNewUTF8(text);
    call(at);
    _free(at);
  };

  const gl = canvas.getContext('webgl2');
  const largest = Math.min(8192, gl.getParameter(gl.MAX_RENDERBUFFER_SIZE) || 4096);
  const resize = () => {
    const ratio = Math.min(devicePixelRatio || 1, largest / Math.max(1, canvas.clientWidth, canvas.clientHeight));
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    _page_resized(canvas.clientWidth, canvas.clientHeight, ratio);
  };
  new ResizeObserver(resize).observe(canvas);
  const watchRatio = () => {
    matchMedia('(resolution: ' + devicePixelRatio + 'dppx)')
        .addEventListener('change', () => { resize(); watchRatio(); }, {once: true});
  };
  watchRatio();
  resize();

  const fingers = new Map();   // touch points: two of them scroll
  let panning = null;
  const middle = () => {
    let x = 0;
    let y = 0;
    for (const p of fingers.values()) { x += p.x / fingers.size; y += p.y / fingers.size; }
    return {x, y};
  };
  const pointer = (kind) => (event) => {
    const touch = event.pointerType === 'touch' ? 1 : 0;
    const button = [0, 2, 1][event.button] ?? 0;
    if (kind === 1) {
      if (document.activeElement !== field) canvas.focus({preventScroll: true});
      canvas.setPointerCapture(event.pointerId);
    }
    if (touch) {
      if (kind === 2 || kind === 4) fingers.delete(event.pointerId);
      else fingers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
      if (fingers.size >= 2) {
        const at = middle();
        if (panning) _page_wheel((at.x - panning.x) / 50, (at.y - panning.y) / 50);
        else _page_pointer(4, event.offsetX, event.offsetY, 0, 1, 0);
        panning = at;
        return;
      }
      if (panning) { if (!fingers.size) panning = null; return; }
    }
    _page_pointer(kind, event.offsetX, event.offsetY, button, touch, event.shiftKey ? 1 : 0);
    event.preventDefault();
  };
  canvas.addEventListener('pointermove', pointer(0));
  canvas.addEventListener('pointerdown', pointer(1));
  canvas.addEventListener('pointerup', pointer(2));
  canvas.addEventListener('pointercancel', pointer(4));
  canvas.addEventListener('pointerleave', (e) => { if (e.pointerType !== 'touch') pointer(3)(e); });
  canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); _page_context(1); });
  canvas.addEventListener('webglcontextrestored', () => _page_context(0));
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    if (event.ctrlKey || canvas.dataset.scroll === 'page') return;   // the page zooms or scrolls
    const unit = event.deltaMode === 0 ? 1 / 100 : event.deltaMode === 1 ? 1 / 3 : 1;
    _page_wheel(-event.deltaX * unit, -event.deltaY * unit);
    event.preventDefault();
  }, {passive: false});

  const key = (down) => (event) => {
    if (event.isComposing || event.keyCode === 229) return;   // the input method's
    const mods = event.ctrlKey | event.shiftKey << 1 | event.altKey << 2 | event.metaKey << 3;
    utf8(event.key, (at) => _page_key(at, down, mods));
    // Typed text comes from the field; anything else must not scroll the page,
    // while browser shortcuts, and Tab to leave the canvas, stay the browser's.
    const own = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' ', 'Backspace'];
    if (down && event.target === canvas && own.includes(event.key)) event.preventDefault();
    if (down && event.target === field && ['Tab', 'Enter', 'Backspace'].includes(event.key)) event.preventDefault();
  };
  for (const target of [canvas, field]) {
    target.addEventListener('keydown', key(1));
    target.addEventListener('keyup', key(0));
    target.addEventListener('paste', (event) => {
      utf8(event.clipboardData.getData('text/plain'), (at) => _page_clipboard(at));
      event.preventDefault();
    });
    target.addEventListener('focus', () => _page_focus(1));
    target.addEventListener('blur', () => _page_focus(0));
  }
  const commit = () => {
    if (field.value) utf8(field.value, (at) => _page_text(at));
    field.value = "";
  };
  field.addEventListener('input', (event) => { if (!event.isComposing) commit(); });
  field.addEventListener('compositionstart', () => { field.style.opacity = 1; field.style.width = '12em'; });
  field.addEventListener('compositionend', () => {
    field.style.opacity = 0;
    field.style.width = '1px';
    commit();
  });
  return /Mac|iP(hone|ad|od)/.test(navigator.platform) ? 1 : 0;
});

// ---- frames ----------------------------------------------------------------
namespace {

EM_BOOL draw_frame(double milliseconds, void*) {
  frame_requested = false;
  if (!draw_panels || context_lost) return EM_FALSE;
  ImGuiIO& io = ImGui::GetIO();
  const double elapsed = (milliseconds - last_time) * 1e-3;
  io.DeltaTime = static_cast<float>(std::clamp(elapsed, 0.0005, 5.0));
  last_time = milliseconds;

  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  draw_panels();
  ImGui::Render();
  glViewport(0, 0, static_cast<int>(io.DisplaySize.x * io.DisplayFramebufferScale.x + 0.5f),
             static_cast<int>(io.DisplaySize.y * io.DisplayFramebufferScale.y + 0.5f));
  glClearColor(background[0], background[1], background[2], 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  ++frames_drawn;

  const ImGuiPlatformImeData& ime = ImGui::GetCurrentContext()->PlatformImeData;
  if (io.WantTextInput != typing || io.WantTextInput) {
    typing = io.WantTextInput;
    page_typing(typing, ime.InputPos.x, ime.InputPos.y, ime.InputLineHeight);
  }
  static ImGuiMouseCursor shown = ImGuiMouseCursor_COUNT;
  if (const ImGuiMouseCursor cursor = ImGui::GetMouseCursor(); cursor != shown) {
    static const char* const kNames[] = {"default", "text", "move", "ns-resize", "ew-resize",
                                         "nesw-resize", "nwse-resize", "pointer", "wait",
                                         "progress", "not-allowed"};
    shown = cursor;
    page_cursor(cursor >= 0 && cursor < static_cast<int>(std::size(kNames)) ? kNames[cursor] : "default");
  }
  if (--frames_left > 0 || !ImGui::GetCurrentContext()->InputEventsQueue.empty()) request_frame();
  return EM_TRUE;
}

}  // namespace

bool nullscope::app::platform_open(const char*) {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.antialias = false;      // Dear ImGui smooths its own edges
  attributes.alpha = false;
  attributes.depth = attributes.stencil = false;
  const auto context = emscripten_webgl_create_context("#canvas", &attributes);
  if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS) return false;

  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "page";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { clipboard = text; page_copy(text); };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return clipboard.c_str(); };
  io.ConfigMacOSXBehaviors = page_listen();
  return ImGui_ImplOpenGL3_Init("#version 300 es");
}

void nullscope::app::platform_run(void (*draw)()) {
  draw_panels = draw;
  platform_wake();
}
