#!/usr/bin/env bash
# Puts a working Emscripten (3.1.69 or newer) under one folder.
#
#   web/setup/emscripten.sh [FOLDER]        FOLDER defaults to .toolchain
#
# 1. An emcc on PATH that is new enough (emsdk, Debian 13's package) is used.
# 2. Otherwise the pinned Debian 13 packages are fetched by apt, whose signed
#    index vouches for every file, and unpacked under FOLDER: no root, nothing
#    outside FOLDER is touched. They bring their own C library, so they run on
#    any Linux that has apt-get, dpkg-deb, node and python3.
#
# Either way FOLDER/emscripten.cmake is the CMake toolchain file, and
# FOLDER/bin holds emcc, em++, emcmake ... for the command line.
# Running it again does nothing unless a pin, this file or FOLDER's place changed; after an
# interruption it keeps the packages that have come, and apt continues the one that had not.
#
# Environment:
#   DEBIAN_MIRROR   mirror address; default: the one this machine's apt uses
#   EMSCRIPTEN_FROM auto (default) | path (only 1) | debian (only 2)
#   KEEP_DEBS=1     keep the downloaded packages (300 MB) under FOLDER/debs
set -euo pipefail

readonly MINIMUM=3.1.69
readonly SUITE=trixie
readonly KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# Package, version, sha256 of the amd64 (or all) file. These make the output.
PINS=(
  emscripten              '3.1.69+dfsg-3'   d2ac788b952c56ab6736b4db2ac0825aa63cfb4c08b8abaefe19e324779d1b2d
  binaryen                '120-4'           47be56009e56170f4338a0154fbff2028bd607bc3c8b6a5414658a985bef6470
  clang-19                '1:19.1.7-3+b1'   bbb74458d782b7792b61b0eed92746df5e6d033778c045cf8c2b3835b7c4efc4
  lld-19                  '1:19.1.7-3+b1'   756a805e8811d527dd2b5417f016c9342b8631fa9c1ddcd56265c13ae33bf3a4
  llvm-19                 '1:19.1.7-3+b1'   0b1b7263f4f45e261099240fdbf00fc14b42b88410fd829e041bf83ea45866cb
  libclang-cpp19          '1:19.1.7-3+b1'   a7d2b6df51050834f6ea5c0d5e34869c2298b0bcdaa91eff17ba3db2cd545c47
  libllvm19               '1:19.1.7-3+b1'   db0d614d61345ca710fb73e75105f1ec6e38898fa7b3aa99fa7eb7d8b0a11d57
  libclang-common-19-dev  '1:19.1.7-3+b1'   4018e40e2d4144fe38c45822e68cca63c1bf6c7872c3073ebb262ad4b2f9b8bc
)
# What those need to run, in whatever version the suite has (security fixes
# move these, and they do not reach the output).
RUNTIME=(libc6 libgcc-s1 libstdc++6 libedit2 libtinfo6 libbsd0 libmd0 libffi8
         libxml2 liblzma5 libz3-4 libgmp10 libzstd1 zlib1g node-acorn patchelf)

STEP=emscripten
source "$(dirname "${BASH_SOURCE[0]}")/report.sh"
need() { command -v "$1" >/dev/null || die "needs $1 ($2)"; }

need node 'apt-get install nodejs'
need python3 'apt-get install python3-minimal'
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' \
  || die "node $(node --version) is too old, 20 or newer is needed"

mkdir -p "${1:-.toolchain}"
folder=$(cd "${1:-.toolchain}" && pwd -P)
node_js=$(node -p process.execPath)
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
self_hash=$(sha256sum < "${BASH_SOURCE[0]}" | cut -c1-16)
stamp="$self_hash $folder $node_js $python ${EMSCRIPTEN_FROM:-auto}"

emcc_version() { "$1" --version 2>/dev/null | sed -n '1s/.* \([0-9]\+\.[0-9]\+\.[0-9]\+\).*/\1/p'; }
new_enough()   { [ "$(printf '%s\n' "$MINIMUM" "$1" | sort -V | head -n1)" = "$MINIMUM" ]; }

# CMake toolchain file and FOLDER/bin for the Emscripten at $1.
publish() {
  local root=$1 tool
  rm -rf "$folder/bin" && mkdir -p "$folder/bin"
  for tool in emcc em++ emar emranlib emnm emcmake emmake emconfigure em-config emrun; do
    [ -e "$root/$tool" ] || continue
    printf '#!/bin/sh\nexec "%s/%s" "$@"\n' "$root" "$tool" > "$folder/bin/$tool"
    chmod +x "$folder/bin/$tool"
  done
  cat > "$folder/emscripten.cmake" <<CMAKE
# Written by web/setup/emscripten.sh
set(EMSCRIPTEN_ROOT_PATH "$root")
include("$root/cmake/Modules/Platform/Emscripten.cmake")
CMAKE
}

# The smallest program that needs relaxed SIMD, threads and the JS optimiser.
smoke() {
  local dir; dir=$(mktemp -d)
  cat > "$dir/smoke.cpp" <<'CPP'
#include <cstdio>
#include <thread>
#include <wasm_simd128.h>
int main(int argc, char**) {
  v128_t v = wasm_f32x4_splat(float(argc));
  std::thread t([&] { v = wasm_f32x4_relaxed_madd(v, v, v); });
  t.join();
  std::printf("smoke %g\n", wasm_f32x4_extract_lane(v, 0));
}
CPP
  "$folder/bin/em++" -O2 -msimd128 -mrelaxed-simd -pthread -sEXIT_RUNTIME=1 \
      -sPTHREAD_POOL_SIZE=1 -sPROXY_TO_PTHREAD "$dir/smoke.cpp" -o "$dir/smoke.js"
  local flag=''
  node --v8-options | grep -q experimental-wasm-relaxed-simd \
    && flag=--experimental-wasm-relaxed-simd
  [ "$(node $flag "$dir/smoke.js")" = 'smoke 2' ] || die 'the smoke test failed'
  rm -rf "$dir"
}

finish() {
  smoke
  printf '%s\n' "$stamp" > "$folder/stamp"
  say "$(emcc_version "$folder/bin/emcc") ready in $folder ($1)"
  exit 0
}

if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$stamp" ]; then
  say "$(emcc_version "$folder/bin/emcc") already in $folder"
  exit 0
fi
rm -f "$folder/stamp"

# ---- 1. one that is there --------------------------------------------------
if [ "${EMSCRIPTEN_FROM:-auto}" != debian ]; then
  if command -v emcc >/dev/null; then
    version=$(emcc_version emcc)
    if [ -n "$version" ] && new_enough "$version"; then
      root=''
      for place in "$(em-config EMSCRIPTEN_ROOT 2>/dev/null || true)" \
                   "$(dirname "$(readlink -f "$(command -v emcc)")")" /usr/share/emscripten; do
        [ -f "$place/cmake/Modules/Platform/Emscripten.cmake" ] && root=$place && break
      done
      [ -n "$root" ] || die "cannot find the Emscripten folder of $(command -v emcc)"
      publish "$root"
      finish "the emcc on PATH"
    fi
    say "the emcc on PATH is ${version:-unknown}, older than $MINIMUM: not used"
  fi
  [ "${EMSCRIPTEN_FROM:-auto}" = auto ] || die 'no emcc on PATH is new enough'
fi

# ---- 2. Debian 13's packages -----------------------------------------------
need apt-get 'a Debian or Ubuntu machine'
need dpkg-deb 'a Debian or Ubuntu machine'
[ -f "$KEYRING" ] || die "needs $KEYRING (apt-get install debian-archive-keyring)"

mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' \
    'Created-By: Packages' | sed -n 's/^Debian Debian //p' | head -n1)}
[ -n "$mirror" ] || die "no Debian mirror known: run 'apt-get update', or on another system set DEBIAN_MIRROR to the address of one"
need_space "$folder" 1800 'Emscripten'

apt=$folder/apt
mkdir -p "$apt"/{state/lists/partial,cache/archives/partial} "$folder/debs"
echo "deb [targets=Packages signed-by=$KEYRING] $mirror $SUITE main" > "$apt/sources.list"
cat > "$apt/apt.conf" <<APT
Dir::State "$apt/state";
Dir::State::status "/dev/null";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Acquire::Languages "none";
Acquire::AllowInsecureRepositories "false";
APT::Get::AllowUnauthenticated "false";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT
aptget() { apt-get -c "$apt/apt.conf" -o APT::Update::Error-Mode=any -o Acquire::Retries=3 "$@"; }

say "fetching 325 MB of packages of Debian $SUITE into $folder"
aptget -qq update || die 'the package mirror could not be reached: check the network, then run this again'
cd "$folder/debs"
wanted=()
for ((i = 0; i < ${#PINS[@]}; i += 3)); do wanted+=("${PINS[i]}=${PINS[i+1]}"); done
if ! aptget --print-uris download "${wanted[@]}" >/dev/null 2>&1; then
  say "WARNING: a pinned version has left the $SUITE suite: taking its newest"
  rm -f ./*.deb
  wanted=()
  for ((i = 0; i < ${#PINS[@]}; i += 3)); do wanted+=("${PINS[i]}"); done
fi
aptget download "${wanted[@]}" "${RUNTIME[@]}" \
  || die 'not every package came: check the network, then run this again, what has come is kept'
for ((i = 0; i < ${#PINS[@]}; i += 3)); do
  file=$(printf '%s\n' "${PINS[i]}_${PINS[i+1]//:/%3a}"_*.deb)
  case $file in
    *_all.deb|*_amd64.deb)
      echo "${PINS[i+2]}  $file" | sha256sum --check --quiet \
        || { rm -f "$file"; die "${PINS[i]}: the file that came is not the pinned one (wrong hash): it was deleted, run this again"; } ;;
  esac
done

say "unpacking under $folder"
rm -rf "$folder/root" "$folder/native" && mkdir -p "$folder/root" "$folder/native"/{bin,lib}
for deb in *.deb; do
  case $deb in
    # Without the position independent and LTO builds of the system libraries
    # and Emscripten's own tests: 0.4 GB instead of 1.7.
    emscripten_*) dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$folder/root" \
        --exclude='*/wasm32-emscripten/pic' --exclude='*/wasm32-emscripten/lto*' \
        --exclude='*/emscripten/test' --exclude='*/emscripten/docs' ;;
    *) dpkg-deb -x "$deb" "$folder/root" ;;
  esac
done

# All programs in native/bin, all libraries in native/lib: Debian builds LLVM
# and Binaryen with the search path $ORIGIN/../lib. Only the loader's place has
# to be written into them.
cd "$folder/root"
cp -P usr/lib/*-linux-gnu/*.so* "$folder/native/lib/"
[ -d lib ] && cp -P lib/*-linux-gnu/*.so* "$folder/native/lib/"
cp -LR usr/lib/llvm-19/lib/clang "$folder/native/lib/"
loader=$(find . -name 'ld-linux*.so*' | head -n1)
cp -L "$loader" "$folder/native/lib/"
loader=$folder/native/lib/$(basename "$loader")
for tool in clang lld llvm-ar llvm-nm llvm-objcopy llvm-dwp llvm-dwarfdump \
            llvm-symbolizer llvm-objdump llvm-profdata llvm-cov; do
  [ -e "usr/lib/llvm-19/bin/$tool" ] && cp -L "usr/lib/llvm-19/bin/$tool" "$folder/native/bin/"
done
cp usr/bin/wasm* "$folder/native/bin/" 2>/dev/null || true
rm -f "$folder/native/bin/wasm-ld-19"
ln -s clang "$folder/native/bin/clang++"
ln -s lld "$folder/native/bin/wasm-ld"
ln -s llvm-ar "$folder/native/bin/llvm-ranlib"
ln -s llvm-objcopy "$folder/native/bin/llvm-strip"
for program in "$folder"/native/bin/*; do
  [ -L "$program" ] || "$loader" --library-path "$folder/native/lib" usr/bin/patchelf \
      --set-interpreter "$loader" --force-rpath --set-rpath '$ORIGIN/../lib' "$program"
done

root=$folder/root/usr/share/emscripten
ln -s ../nodejs "$root/node_modules"           # acorn, for the JS optimiser
cat > "$root/.emscripten" <<CONFIG
LLVM_ROOT = '$folder/native/bin'
BINARYEN_ROOT = '$folder/native'
NODE_JS = '$node_js'
FROZEN_CACHE = True
CONFIG
# A python3 that is a shell wrapper (pyenv) costs 0.1 s or more at every compile.
grep -lr --include='em*' 'PYTHON=\$EMSDK_PYTHON' "$root" --max-count=1 \
  | xargs -r sed -i "s|PYTHON=\$EMSDK_PYTHON|PYTHON=\${EMSDK_PYTHON:-$python}|" || true

cd "$folder"
rm -rf apt "$folder/root/usr/lib" "$folder/root/usr/bin" "$folder/root/lib" "$folder/root/usr/share/doc"
[ "${KEEP_DEBS:-0}" = 1 ] || rm -rf debs
publish "$root"
finish "Debian $SUITE"
