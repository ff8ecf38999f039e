// The UI module: the document and the views on a canvas. web/main.js is the only caller; it
// carries messages between this module and the engine's worker, and shows in HTML what
// page_report() tells.
#include <cmath>
#include <optional>
#include <string>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>

#include "app/fonts.h"
#include "app/page_report.h"
#include "app/platform.h"
#include "imgui.h"
#include "implot.h"
#include "io/safetensors.h"
#include "session/default_text.h"
#include "session/document.h"
#include "view/attention_view.h"
#include "view/keys.h"

// The module's calls into the page; each is a member that web/main.js sets.
EM_JS(void, tell_request, (const char* json), { Module.onRequest(JSON.parse(UTF8ToString(json))); });
EM_JS(void, tell_change, (), { Module.onChange(); });
EM_JS(void, tell_height, (double css_pixels), { Module.onHeight(css_pixels); });
EM_JS(void, tell_long_text, (), { Module.onLongText(); });

namespace nullscope::app {
namespace {

struct Page {
  session::Document document;
  view::AttentionView view;
  view::Theme theme;
  Fonts fonts;
  uint64_t told_version = 0;
  float told_height = -1;
  bool has_canvas = false;
  std::string report;
};

// Shown when nothing was chosen yet: its attention to [SEP] hides what it does.
constexpr HeadIndex kFirstHead{7, 6};

Page& page() {
  static Page* const kPage = new Page;  // lives as long as the tab
  return *kPage;
}

void send(const session::Request& request) {
  const nlohmann::json json = {{"number", request.number},
                               {"text", request.text},
                               {"pair", request.pair ? nlohmann::json(*request.pair) : nlohmann::json()},
                               {"variant", analysis::effective_variant_name(request.variant)},
                               {"cut", request.cut ? nlohmann::json(*request.cut) : nlohmann::json()}};
  tell_request(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

void tell_if_changed() {
  if (page().told_version == page().document.version()) return;
  page().told_version = page().document.version();
  if (page().has_canvas) platform_wake();
  tell_change();
}

void draw() {
  Page& p = page();
  view::Ui ui{p.document, p.theme, send, [] { tell_long_text(); }};
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  p.view.draw(ui);
  ImGui::End();
  if (p.view.wanted_height() != p.told_height) {
    p.told_height = p.view.wanted_height();
    tell_height(static_cast<double>(p.told_height));
    platform_wake();
  }
  tell_if_changed();
}

}  // namespace
}  // namespace nullscope::app

using namespace nullscope;
using app::page;

extern "C" {

// A message of the engine or a snapshot, as safetensors bytes. False: the report has the fault.
EMSCRIPTEN_KEEPALIVE bool page_receive(const std::byte* bytes, size_t size) {
  const auto bundle = io::read_bundle({bytes, size}, "message");
  const bool taken = bundle ? page().document.receive(*bundle).has_value() : false;
  app::tell_if_changed();
  return taken;
}

EMSCRIPTEN_KEEPALIVE void page_ask(const char* text, bool has_pair, const char* pair) {
  app::send(page().document.ask(text, has_pair ? std::optional<std::string>(pair) : std::nullopt));
  app::tell_if_changed();
}

// A state from a link; false when it cannot be read, and then nothing changes.
EMSCRIPTEN_KEEPALIVE bool page_restore(const char* text) {
  auto state = session::read_view_state(text);
  if (!state) return false;
  page().document.restore(std::move(*state));
  app::tell_if_changed();
  return true;
}

EMSCRIPTEN_KEEPALIVE bool page_press(const char* key, bool shift) {
  const bool used = view::press_key(page().document, key, shift);
  app::tell_if_changed();
  return used;
}

EMSCRIPTEN_KEEPALIVE void page_pin(int query, int key) {
  page().document.pin({query, key}, false);
  app::tell_if_changed();
}

// What the visitor chose (0 system, 1 light, 2 dark), and what that means now.
EMSCRIPTEN_KEEPALIVE void page_theme(int chosen, bool dark) {
  page().document.set_theme(static_cast<session::Theme>(chosen >= 0 && chosen <= 2 ? chosen : 0));
  page().theme = view::apply_theme(dark, page().fonts.regular, page().fonts.bold);
  const ImVec4 back = ImGui::ColorConvertU32ToFloat4(page().theme.page);
  app::platform_background(back.x, back.y, back.z);
  app::tell_if_changed();
}

EMSCRIPTEN_KEEPALIVE void page_model_closed() {
  page().document.model_closed();
  app::tell_if_changed();
}

EMSCRIPTEN_KEEPALIVE void page_clear_fault() {
  page().document.clear_fault();
  app::tell_if_changed();
}

// The JSON of page_report.h; valid until the next call.
EMSCRIPTEN_KEEPALIVE const char* page_report() {
  page().report = app::report_json(page().document);
  return page().report.c_str();
}

// An entry of a map (0 raw, 1 effective, 2 difference), nan outside.
EMSCRIPTEN_KEEPALIVE double page_value(int kind, int layer, int head, int query, int key) {
  const auto& shown = page().document.shown();
  return shown && kind >= 0 && kind <= 2 ? static_cast<double>(shown->value(static_cast<session::MapKind>(kind), {layer, head}, {query, key})) : std::nan("");
}

EMSCRIPTEN_KEEPALIVE const char* page_default_text() { return session::kDefaultText; }

// False without WebGL 2: everything but the pictures works.
EMSCRIPTEN_KEEPALIVE bool page_has_canvas() { return page().has_canvas; }
}

int main() {
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  page().fonts = app::load_fonts();
  page().theme = view::apply_theme(false, page().fonts.regular, page().fonts.bold);
  page().document.select_head(app::kFirstHead);
  page().has_canvas = app::platform_open("Nullscope");
  if (page().has_canvas) app::platform_run(app::draw);
  return 0;
}
