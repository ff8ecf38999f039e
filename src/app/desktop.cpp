// nullscope-desktop: the page's views in a window, with the engine on a thread. Works offline.
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/desktop_engine.h"
#include "app/fonts.h"
#include "app/platform.h"
#include "imgui.h"
#include "implot.h"
#include "io/folder.h"
#include "io/safetensors.h"
#include "session/default_text.h"
#include "session/document.h"
#include "view/attention_view.h"
#include "view/keys.h"
#include "view/summary.h"

namespace nullscope::app {
namespace {

constexpr float kTextBoxHeight = 44, kStatusHeight = 26;

struct Desktop {
  session::Document document;
  view::AttentionView view;
  view::Theme theme;
  Fonts fonts;
  std::unique_ptr<DesktopEngine> engine;  // absent when only a snapshot is shown
  std::string text = session::kDefaultText, pair;
  bool has_pair = false, show_keys = false;

  void ask() {
    if (engine) engine->submit(document.ask(text, has_pair ? std::optional(pair) : std::nullopt));
  }
  void set_dark(bool dark) {
    theme = view::apply_theme(dark, fonts.regular, fonts.bold);
    document.set_theme(dark ? session::Theme::kDark : session::Theme::kLight);
    const ImVec4 back = ImGui::ColorConvertU32ToFloat4(theme.page);
    platform_background(back.x, back.y, back.z);
  }
};
Desktop* desktop = nullptr;  // of main, for the draw function that the platform calls

bool text_box(const char* id, std::string& text, float width) {
  const auto grow = [](ImGuiInputTextCallbackData* data) {
    auto* string = static_cast<std::string*>(data->UserData);
    string->resize(static_cast<size_t>(data->BufTextLen));
    data->Buf = string->data();
    return 0;
  };
  return ImGui::InputTextMultiline(id, text.data(), text.capacity() + 1, {width, kTextBoxHeight},
                                   ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_WordWrap, grow, &text);
}

void draw_keys() {
  struct Named {
    ImGuiKey key;
    const char* name;
  };
  static constexpr Named kNames[] = {{ImGuiKey_UpArrow, "ArrowUp"}, {ImGuiKey_DownArrow, "ArrowDown"}, {ImGuiKey_LeftArrow, "ArrowLeft"},
                                     {ImGuiKey_RightArrow, "ArrowRight"}, {ImGuiKey_LeftBracket, "["}, {ImGuiKey_RightBracket, "]"},
                                     {ImGuiKey_Comma, ","}, {ImGuiKey_Period, "."}, {ImGuiKey_Escape, "Escape"}};
  const bool shift = ImGui::GetIO().KeyShift;
  if (!ImGui::GetIO().WantTextInput) {
    for (const Named& each : kNames)
      if (ImGui::IsKeyPressed(each.key)) view::press_key(desktop->document, each.name, shift);
    if (ImGui::IsKeyPressed(ImGuiKey_Slash) && shift) desktop->show_keys = !desktop->show_keys;
  }
  if (!desktop->show_keys) return;
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::Begin("Keys", &desktop->show_keys, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse))
    for (const view::KeyHelp& each : view::key_help()) ImGui::Text("%-16s %s", each.keys, each.meaning);
  ImGui::End();
}

void draw_status() {
  const auto& shown = desktop->document.shown();
  const auto& fault = desktop->document.fault();
  std::string status;
  if (fault) status = fault->message;
  else if (shown && shown->done && !desktop->document.running())
    status = std::to_string(shown->layers.size()) + " layers in " + std::to_string(static_cast<int>(shown->milliseconds)) + " ms, " +
             std::to_string(shown->threads) + " thread(s), " + shown->engine + " \xC2\xB7 " + desktop->document.model().name;
  else status = desktop->engine ? "loading or computing" : "a snapshot; start with --model FOLDER to compute other texts";
  ImGui::SetCursorPosX(12);
  if (fault) ImGui::PushStyleColor(ImGuiCol_Text, desktop->theme.bad);
  ImGui::TextUnformatted(status.c_str());
  if (fault) ImGui::PopStyleColor();
}

void draw_header() {
  ImGui::SetCursorPos({12, 8});
  ImGui::BeginGroup();
  const float actions = 190;
  const float width = ImGui::GetContentRegionAvail().x - actions - 12;
  bool changed = text_box("##text", desktop->text, desktop->has_pair ? width / 2 - 4 : width);
  if (desktop->has_pair) {
    ImGui::SameLine();
    changed |= text_box("##pair", desktop->pair, width / 2 - 4);
  }
  ImGui::SameLine();
  if (ImGui::Button(desktop->has_pair ? "- text B" : "+ text B")) {
    desktop->has_pair = !desktop->has_pair;
    changed = true;
  }
  ImGui::SameLine();
  if (ImGui::Button(desktop->theme.dark ? "light" : "dark")) desktop->set_dark(!desktop->theme.dark);
  ImGui::SameLine();
  if (ImGui::Button("?")) desktop->show_keys = !desktop->show_keys;
  ImGui::EndGroup();
  if (changed) desktop->ask();
}

void draw() {
  if (desktop->engine)
    for (const TensorBundle& message : desktop->engine->collect()) (void)desktop->document.receive(message);  // the document keeps the fault
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  draw_header();
  view::Ui ui{desktop->document, desktop->theme,
              [](session::Request request) { if (desktop->engine) desktop->engine->submit(std::move(request)); },
              [] { desktop->text = session::kDefaultText; desktop->ask(); }};
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  const bool visible = ImGui::BeginChild("view", {0, ImGui::GetContentRegionAvail().y - kStatusHeight});
  ImGui::PopStyleColor();
  if (visible) desktop->view.draw(ui);
  ImGui::EndChild();
  draw_status();
  ImGui::End();
  draw_keys();
}

Status open_snapshot(session::Document& document, const std::string& path) {
  const auto bytes = io::read_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  const auto bundle = io::read_bundle(bytes->view(), path);
  if (!bundle) return std::unexpected(bundle.error());
  return document.receive(*bundle);
}

}  // namespace
}  // namespace nullscope::app

int main(int argc, char** argv) {
  using namespace nullscope;
  CLI::App command("Nullscope in a window");
  std::string folder, snapshot;
  int threads = 1;
  command.add_option("--model", folder, "folder with config.json, vocab.txt and weights");
  command.add_option("--snapshot", snapshot, "a finished run (nullscope snapshot) to show first");
  command.add_option("--threads", threads, "threads of the engine")->check(CLI::Range(1, 256))->capture_default_str();
  CLI11_PARSE(command, argc, argv);
  if (folder.empty() && snapshot.empty()) {
    std::fprintf(stderr, "nullscope-desktop: nothing to show: give --model FOLDER, --snapshot FILE or both\n");
    return 2;
  }

  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigInputTrickleEventQueue = true;
  if (!app::platform_open("Nullscope")) {
    std::fprintf(stderr, "nullscope-desktop: no window with OpenGL 3.3 could be opened: is there a display?\n");
    return 1;
  }
  {
    app::Desktop desktop;
    app::desktop = &desktop;
    desktop.fonts = app::load_fonts();
    desktop.set_dark(false);
    desktop.document.select_head({7, 6});
    if (!snapshot.empty())
      if (const Status opened = app::open_snapshot(desktop.document, snapshot); !opened) {
        std::fprintf(stderr, "nullscope-desktop: %s\n", opened.error().message.c_str());
        return 1;
      }
    if (desktop.document.shown()) desktop.text = desktop.document.state().text;
    if (!folder.empty()) {
      desktop.engine = std::make_unique<app::DesktopEngine>(folder, threads, app::platform_wake);
      desktop.ask();
    }
    app::platform_run(app::draw);
  }
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
  return 0;
}
