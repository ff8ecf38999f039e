#!/usr/bin/env bash
# Puts Dear ImGui 1.93.0 (docking) and ImPlot 1.1 sources in .third_party/
#
#   web/setup/third-party.sh
#
# Both come from the PyPI source archive of imgui-bundle, fetched by pip and
# checked against the hash below. pip insists on asking an archive's build
# system for its metadata: a two-function stand-in answers, so that nothing
# from the archive runs and no build tool is fetched.
set -euo pipefail
STEP='third party'
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
source "$ROOT/web/setup/report.sh"
source "$ROOT/web/setup/node.sh"

readonly VERSION=1.93.0
readonly SHA256=10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf

folder=$ROOT/.third_party
mkdir -p "$folder"
stamp="$VERSION $SHA256 $(sha256sum < "${BASH_SOURCE[0]}" | cut -c1-16)"
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$stamp" ]; then
  say "already in $folder"
  exit 0
fi
need_space "$ROOT" 300 'Dear ImGui'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/scikit_build_core"
touch "$work/scikit_build_core/__init__.py"
cat > "$work/scikit_build_core/build.py" <<PY
import os
def get_requires_for_build_wheel(config_settings=None):
    return []
def prepare_metadata_for_build_wheel(directory, config_settings=None):
    name = 'imgui_bundle-$VERSION.dist-info'
    os.mkdir(os.path.join(directory, name))
    with open(os.path.join(directory, name, 'METADATA'), 'w') as f:
        f.write('Metadata-Version: 2.1\nName: imgui-bundle\nVersion: $VERSION\n')
    return name
PY
echo "imgui-bundle==$VERSION --hash=sha256:$SHA256" > "$work/requirements.txt"
set_up_python
PYTHONPATH=$work fetch_with_pip 'Dear ImGui' download \
  --no-deps --no-binary :all: --no-build-isolation --require-hashes \
  --requirement "$work/requirements.txt" --dest "$work"
archive=$(echo "$work"/imgui_bundle-*.tar.gz)
echo "$SHA256  $archive" | sha256sum --check --quiet

top=imgui_bundle-$VERSION/external
rm -rf "$folder/imgui" "$folder/implot"
mkdir -p "$work/out"
tar -xzf "$archive" -C "$work/out" --strip-components=2 --wildcards --no-wildcards-match-slash \
  "$top/imgui/imgui/*.cpp" "$top/imgui/imgui/*.h" "$top/imgui/imgui/LICENSE.txt" \
  "$top/imgui/imgui/backends/imgui_impl_glfw.*" \
  "$top/imgui/imgui/backends/imgui_impl_opengl3*" \
  "$top/imgui/imgui/misc/fonts/binary_to_compressed_c.cpp" \
  "$top/implot/implot/*.cpp" "$top/implot/implot/*.h" "$top/implot/implot/LICENSE"
mv "$work/out/imgui/imgui" "$folder/imgui"
mv "$work/out/implot/implot" "$folder/implot"
echo "$stamp" > "$folder/stamp"
say "Dear ImGui $(sed -n 's/^#define IMGUI_VERSION  *"\(.*\)"/\1/p' "$folder/imgui/imgui.h")," \
     "ImPlot $(sed -n 's/^#define IMPLOT_VERSION *"\(.*\)"/\1/p' "$folder/implot/implot.h") in $folder"
