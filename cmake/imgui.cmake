# Dear ImGui and ImPlot from the folder that web/setup fetched; nothing of theirs is kept here.
set(THIRD_PARTY ${CMAKE_SOURCE_DIR}/.third_party CACHE PATH "folder that holds imgui/ and implot/")
if(NOT EXISTS ${THIRD_PARTY}/imgui/imgui.cpp)
  message(FATAL_ERROR "There is no Dear ImGui in ${THIRD_PARTY}: run web/serve or tests/run once, "
                      "which fetch it, or configure with -DNULLSCOPE_APPS=OFF to build without windows.")
endif()

add_library(imgui STATIC
  ${THIRD_PARTY}/imgui/imgui.cpp
  ${THIRD_PARTY}/imgui/imgui_draw.cpp
  ${THIRD_PARTY}/imgui/imgui_tables.cpp
  ${THIRD_PARTY}/imgui/imgui_widgets.cpp
  ${THIRD_PARTY}/imgui/imgui_stacklayout.cpp  # this copy's imgui.cpp calls it
  ${THIRD_PARTY}/imgui/backends/imgui_impl_opengl3.cpp
  ${THIRD_PARTY}/implot/implot.cpp
  ${THIRD_PARTY}/implot/implot_items.cpp)
target_include_directories(imgui SYSTEM PUBLIC
  ${THIRD_PARTY}/imgui ${THIRD_PARTY}/imgui/backends ${THIRD_PARTY}/implot)
target_compile_definitions(imgui PUBLIC
  "ImDrawIdx=unsigned int"                            # WebGL 2 has no base-vertex draw
  "IMPLOT_CUSTOM_NUMERIC_TYPES=(float)(double)(int)"  # else one file takes a minute and more
  IMGUI_USE_WCHAR32                                   # scripts beyond U+FFFF
  IMGUI_DISABLE_OBSOLETE_FUNCTIONS
  IMGUI_DISABLE_DEBUG_TOOLS
  IMGUI_DISABLE_DEMO_WINDOWS)
target_compile_options(imgui PRIVATE -w)
if(EMSCRIPTEN)
  # Half the download; and what it draws takes well under a millisecond either way.
  target_compile_options(imgui PUBLIC -msimd128 PRIVATE -Os)
  target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_DEFAULT_FONT IMGUI_DISABLE_STB_TRUETYPE IMGUI_DISABLE_FILE_FUNCTIONS)
endif()
