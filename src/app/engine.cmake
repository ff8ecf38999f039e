# engine-VARIANT.js/.wasm: the engine for the page's worker, one whole module for each
# instruction set and threading; web/engine-worker.js picks one when the page runs.
if(NOT EMSCRIPTEN)
  return()
endif()

foreach(variant IN LISTS NULLSCOPE_VARIANTS)
  set(target engine-${variant})
  add_executable(${target} engine_web.cpp)
  target_link_libraries(${target} PRIVATE nullscope::session-${variant} json)
  target_link_options(${target} PRIVATE --no-entry
    -sMODULARIZE=1 -sEXPORT_ES6=1 -sEXPORT_NAME=createEngine -sENVIRONMENT=worker
    -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sSTACK_SIZE=1MB
    -sINCOMING_MODULE_JS_API=onMessage
    -sDYNAMIC_EXECUTION=0 -sEXPORTED_RUNTIME_METHODS=wasmMemory -sEXPORTED_FUNCTIONS=_malloc,_free
    $<$<CONFIG:Debug>:-sASSERTIONS=1>)
  if(variant MATCHES threads)
    # Shared memory reserves its maximum at start, and phones refuse more.
    target_link_options(${target} PRIVATE -sMAXIMUM_MEMORY=2GB -Wno-pthreads-mem-growth
      -sPTHREAD_POOL_SIZE=Module.extraThreads)
  else()
    target_link_options(${target} PRIVATE -sMAXIMUM_MEMORY=4GB)
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/web)
endforeach()

# The page's own scripts, copied as they are.
set(ENGINE_SCRIPTS engine-worker.js model-store.js model-source.js offline.js service-worker.js bench.html bench.js)
list(TRANSFORM ENGINE_SCRIPTS PREPEND ${CMAKE_SOURCE_DIR}/web/)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/web/engine-worker.js
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/web
  COMMAND ${CMAKE_COMMAND} -E copy ${ENGINE_SCRIPTS} ${CMAKE_BINARY_DIR}/web
  DEPENDS ${ENGINE_SCRIPTS})
add_custom_target(engine_scripts ALL DEPENDS ${CMAKE_BINARY_DIR}/web/engine-worker.js)
