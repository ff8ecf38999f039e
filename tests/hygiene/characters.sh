# Prose and code are plain ASCII, but for strings that a person sees and test texts; no tabs in
# C++, no trailing blanks, no carriage returns.
source "$(dirname "$0")/report.sh"

verdict 'characters outside ASCII in scripts and build files' \
  "$(git grep -nIP '[^\x00-\x7F]' -- '*.cmake' '*CMakeLists.txt' '*.sh' '*.py' web/serve weights/fetch .ci/run ':!tests/cases' ':!tests/golden' || true)"
verdict 'typographic quotes, dashes and invisible characters in prose and code' \
  "$(git grep -nIP '\xE2\x80[\x8B-\x95\x98-\x9F\xAA-\xAE]|\xC2\xA0|\xEF\xBB\xBF' -- 'src/*.h' 'src/*.cpp' '*.md' '*.sh' '*.cmake' 'web/*' || true)"
verdict 'carriage returns' "$(git grep -lIP '\r$' -- "${PROSE[@]}" || true)"
verdict 'trailing blanks' "$(git grep -nIP '[ \t]+$' -- "${PROSE[@]}" || true)"
verdict 'tabs in C++' "$(git grep -nIP '\t' -- 'src/*.h' 'src/*.cpp' 'tests/*.cpp' 'tests/*.h' ':!tests/cases' || true)"
exit "$failed"
