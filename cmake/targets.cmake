# One target per folder of src/, made here and nowhere else. On the web each folder is
# built once per engine variant, since instruction set and threading reach every object.
add_library(nullscope_flags INTERFACE)
# gcc 12 warns of overlapping copies inside its own std::string (its bug 105329).
target_compile_options(nullscope_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  -fno-math-errno -fno-trapping-math -ffp-contract=off
  $<$<BOOL:${NULLSCOPE_WERROR}>:-Werror>)
target_include_directories(nullscope_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)

set(NULLSCOPE_VARIANTS native)
set(NULLSCOPE_FLAGS_native "")
if(EMSCRIPTEN)
  # simd runs everywhere; relaxed has the fused multiply-add; threads need an isolated page.
  set(NULLSCOPE_VARIANTS simd relaxed simd-threads relaxed-threads)
  set(NULLSCOPE_FLAGS_simd -msimd128)
  set(NULLSCOPE_FLAGS_relaxed -msimd128 -mrelaxed-simd)
  set(NULLSCOPE_FLAGS_simd-threads -msimd128 -pthread)
  set(NULLSCOPE_FLAGS_relaxed-threads -msimd128 -mrelaxed-simd -pthread)
endif()

# nullscope_folder(NAME SOURCES ... FOLDERS ... [LIBRARIES ...])
#   FOLDERS are the folders it may include (its row in tests/layering.cmake), LIBRARIES
#   what it uses from outside. Natively the target is nullscope::NAME; on the web it is
#   nullscope::NAME-VARIANT.
function(nullscope_folder name)
  cmake_parse_arguments(ARG "" "" "SOURCES;FOLDERS;LIBRARIES" ${ARGN})
  foreach(variant IN LISTS NULLSCOPE_VARIANTS)
    set(target nullscope_${name}-${variant})
    add_library(${target} STATIC ${ARG_SOURCES})
    target_link_libraries(${target} PUBLIC nullscope_flags ${ARG_LIBRARIES})
    target_compile_options(${target} PUBLIC ${NULLSCOPE_FLAGS_${variant}})
    target_link_options(${target} PUBLIC ${NULLSCOPE_FLAGS_${variant}})
    foreach(folder IN LISTS ARG_FOLDERS)
      target_link_libraries(${target} PUBLIC nullscope_${folder}-${variant})
    endforeach()
    if(NOT variant STREQUAL native)
      add_library(nullscope::${name}-${variant} ALIAS ${target})
    else()
      add_library(nullscope::${name} ALIAS ${target})
    endif()
  endforeach()
endfunction()
