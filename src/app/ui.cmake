# The programs with a window: `app`, the page's UI module, and `nullscope-desktop`.
if(NOT NULLSCOPE_APPS)
  return()
endif()

if(NOT EMSCRIPTEN)
  find_package(glfw3 3.3)
  find_package(OpenGL)
  find_package(Threads)
  if(NOT glfw3_FOUND OR NOT OpenGL_FOUND)
    message(STATUS "No desktop program: GLFW or OpenGL was not found (libglfw3-dev, libgl-dev)")
    return()
  endif()
  add_library(imgui_glfw STATIC ${THIRD_PARTY}/imgui/backends/imgui_impl_glfw.cpp)
  target_compile_options(imgui_glfw PRIVATE -w)
  target_link_libraries(imgui_glfw PUBLIC imgui glfw OpenGL::GL)
  add_executable(nullscope-desktop desktop.cpp desktop_engine.cpp desktop_font.cpp platform_glfw.cpp)
  target_link_libraries(nullscope-desktop PRIVATE nullscope::view_panels imgui_glfw cli11 Threads::Threads)
  return()
endif()

set(WEB_OUT ${CMAKE_BINARY_DIR}/web)
add_executable(app page.cpp page_report.cpp canvas_font.cpp platform_web.cpp)
target_link_libraries(app PRIVATE nullscope::view_panels-simd json)
target_link_options(app PRIVATE
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sMODULARIZE=1 -sEXPORT_ES6=1 -sEXPORT_NAME=createApp -sENVIRONMENT=web
  -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=32MB -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB
  -sINCOMING_MODULE_JS_API=canvas -sDYNAMIC_EXECUTION=0
  -sEXPORTED_RUNTIME_METHODS=HEAPU8,UTF8ToString,stringToNewUTF8
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free
  $<$<CONFIG:Debug>:-sASSERTIONS=1>)
set_target_properties(app PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WEB_OUT})

set(PAGE_FILES index.html style.css main.js engine-link.js controls.js mirror.js state-store.js status.js)
list(TRANSFORM PAGE_FILES PREPEND ${CMAKE_SOURCE_DIR}/web/)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/page-files.stamp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${WEB_OUT}
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${PAGE_FILES} ${WEB_OUT}
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/page-files.stamp
  DEPENDS ${PAGE_FILES})
add_custom_target(page_files ALL DEPENDS ${CMAKE_BINARY_DIR}/page-files.stamp)
