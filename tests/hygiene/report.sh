# Sourced by the checks: the committed text files of the project that people wrote, and the verdict.
set -uo pipefail
export LC_ALL=C  # patterns of bytes
command -v git >/dev/null && git rev-parse --git-dir >/dev/null 2>&1 || { echo 'skipped: this copy of the project has no git'; exit 77; }

# Numbers and hostile texts made by other programs are data, not prose.
readonly PROSE=(. ':!tests/cases' ':!tests/golden' ':!*.lock' ':!*package-lock.json')

# verdict WHAT LINES: the check fails with the lines when there are any; it ends with exit "$failed".
failed=0
verdict() {
  [ -z "$2" ] && { echo "$1: none"; return 0; }
  printf '%s:\n%s\n' "$1" "$2"
  failed=1
}
