# The command line, for desktops and servers.
if(EMSCRIPTEN)
  return()
endif()

add_executable(nullscope
  cli/main.cpp cli/inputs.cpp cli/output.cpp cli/attention.cpp cli/bench.cpp cli/convert.cpp cli/identity.cpp
  cli/snapshot.cpp cli/tokenize.cpp cli/trace.cpp cli/verify.cpp)
target_compile_definitions(nullscope PRIVATE NULLSCOPE_VERSION="${PROJECT_VERSION}")
target_link_libraries(nullscope PRIVATE nullscope::session nullscope::io_files cli11 json)
