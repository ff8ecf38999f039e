# Header-only libraries of the host, for native and web builds alike. The web toolchain
# confines find_package to its sysroot, and /usr/include itself must never be on a cross
# compiler's path: each library is staged into the build folder by name.
set(STAGED ${CMAKE_BINARY_DIR}/staged)

function(nullscope_header_library name header package)
  find_path(${name}_SOURCE ${header} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${name}_SOURCE)
    message(FATAL_ERROR "${header} was not found: install ${package}")
  endif()
  cmake_path(GET header PARENT_PATH folder)
  file(MAKE_DIRECTORY ${STAGED}/${name})
  if(folder)
    file(CREATE_LINK ${${name}_SOURCE}/${folder} ${STAGED}/${name}/${folder} SYMBOLIC)
  else()
    file(CREATE_LINK ${${name}_SOURCE}/${header} ${STAGED}/${name}/${header} SYMBOLIC)
  endif()
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${STAGED}/${name})
endfunction()

find_path(EIGEN_SOURCE Eigen/Core PATHS /usr/include/eigen3 /usr/local/include/eigen3 NO_CMAKE_FIND_ROOT_PATH)
if(NOT EIGEN_SOURCE)
  message(FATAL_ERROR "Eigen was not found: install libeigen3-dev")
endif()
add_library(eigen INTERFACE)
target_include_directories(eigen SYSTEM INTERFACE ${EIGEN_SOURCE})
# Eigen's index would be 32 bits wide on the web and ours is 64 everywhere.
target_compile_definitions(eigen INTERFACE EIGEN_MPL2_ONLY EIGEN_DONT_PARALLELIZE EIGEN_DEFAULT_DENSE_INDEX_TYPE=std::int64_t)

nullscope_header_library(json nlohmann/json.hpp nlohmann-json3-dev)
target_compile_definitions(json INTERFACE JSON_NOEXCEPTION)
nullscope_header_library(doctest doctest/doctest.h doctest-dev)
nullscope_header_library(cli11 CLI/CLI.hpp libcli11-dev)
nullscope_header_library(stb stb/stb_image_write.h libstb-dev)
