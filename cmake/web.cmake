# The web build: no exceptions and no RTTI, and a node that can run the tests.
add_compile_options(-fno-rtti -fno-exceptions)

# Node before 21 hides relaxed SIMD behind a flag that later versions reject.
find_program(NODE node REQUIRED NO_CMAKE_FIND_ROOT_PATH)
execute_process(COMMAND ${NODE} --v8-options OUTPUT_VARIABLE node_options)
set(NODE_FOR_TESTS ${NODE})
if(node_options MATCHES "experimental-wasm-relaxed-simd")
  list(APPEND NODE_FOR_TESTS --experimental-wasm-relaxed-simd)
endif()
