// The window, its events and its clock. platform_glfw.cpp on the desktop, platform_web.cpp in a
// page; CMake picks one.
#pragma once

namespace nullscope::app {

bool platform_open(const char* title);  // false: no window or no OpenGL
void platform_run(void (*draw)());      // draw is called only when something happened
void platform_wake();                   // draw the next frames; may be called from any thread
void platform_background(float red, float green, float blue);

}  // namespace nullscope::app
