#include "app/platform.h"

#include <atomic>
#include <cstdio>

#include <GLFW/glfw3.h>

#include "imgui.h"
#include "imgui_impl_glfw.h"
#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"

namespace nullscope::app {
namespace {

constexpr int kSettlingFrames = 3;  // pop-ups and layouts settle a frame or two after their event
constexpr double kLongestSleep = 0.5;  // seconds

GLFWwindow* window = nullptr;
std::atomic<int> frames_left = kSettlingFrames;
float background[3] = {0, 0, 0};

}  // namespace

void platform_wake() {
  frames_left = kSettlingFrames;
  glfwPostEmptyEvent();
}

void platform_background(float red, float green, float blue) {
  background[0] = red;
  background[1] = green;
  background[2] = blue;
}

bool platform_open(const char* title) {
  glfwSetErrorCallback([](int code, const char* text) { std::fprintf(stderr, "GLFW %d: %s\n", code, text); });
  if (!glfwInit()) return false;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  window = glfwCreateWindow(1440, 900, title, nullptr, nullptr);
  if (!window) return false;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  glfwSetWindowRefreshCallback(window, [](GLFWwindow*) { frames_left = kSettlingFrames; });
  return ImGui_ImplOpenGL3_Init("#version 330 core");
}

void platform_run(void (*draw)()) {
  while (!glfwWindowShouldClose(window)) {
    if (frames_left > 0) glfwPollEvents();
    else glfwWaitEventsTimeout(kLongestSleep);
    if (!ImGui::GetCurrentContext()->InputEventsQueue.empty()) frames_left = kSettlingFrames;
    if (frames_left <= 0) continue;
    --frames_left;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    glViewport(0, 0, width, height);
    glClearColor(background[0], background[1], background[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window);
  }
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  glfwTerminate();
}

}  // namespace nullscope::app
