# A file of more than 500 lines holds more than one thing (a generated table may), and nothing big is committed.
source "$(dirname "$0")/report.sh"

verdict 'source files over 500 lines' \
  "$(git ls-files 'src/*.h' 'src/*.cpp' 'web/*.js' 'web/*.mjs' 'web/*.css' 'tests/*.cpp' 'tests/*.h' 'tests/*.mjs' |
     while IFS= read -r file; do awk 'END {if (NR > 500) print FILENAME ": " NR}' "$file"; done)"
verdict 'committed weights, archives and objects' \
  "$(git ls-files | grep -iE '\.(bin|pt|onnx|jar|zip|tar|gz|xz|whl|deb|o|a|so|wasm|ckpt)$' | grep -v '^tests/cases/' || true)"
verdict 'committed files over 8 MB' \
  "$(git ls-files -z | xargs -0 stat -c '%s %n' 2>/dev/null | awk '$1 > 8000000' || true)"
exit "$failed"
