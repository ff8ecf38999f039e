# Sourced by web/serve, weights/fetch and tests/run: everything a build needs, each step quick when done.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
source "$ROOT/web/setup/report.sh"
source "$ROOT/web/setup/packages.sh"
source "$ROOT/web/setup/node.sh"

# configure PRESET [CMAKE_ARGUMENT...] and build PRESET [TARGET...], in build/PRESET. Both return
# a status, so that tests/run can go on with its other parts; elsewhere a failure ends the script.
configure() {
  local preset=$1 launcher=()
  shift
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  (cd "$ROOT" && cmake --preset "$preset" "${launcher[@]}" "$@") || { say "cmake could not configure the preset $preset (its reason is above)." >&2; return 1; }
}
build() {
  local preset=$1
  shift
  say "building $preset ${*:-(everything)}"
  (cd "$ROOT" && cmake --build "build/$preset" ${*:+--target "$@"}) || { say "the build of $preset failed (the compiler's reason is above)." >&2; return 1; }
}

set_up_native() {
  [ -d "$ROOT/build" ] || need_space "$ROOT" 5000 'the first run'
  install_packages build "$@"
  set_up_python
}

set_up_web() {
  set_up_node
  bash "$ROOT/web/setup/emscripten.sh" "$ROOT/.toolchain"
  bash "$ROOT/web/setup/third-party.sh"
}

readonly CLI=$ROOT/build/release/src/app/nullscope
