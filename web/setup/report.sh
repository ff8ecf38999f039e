# Sourced by the set-up scripts: how they speak, and what they check before a long step.
# Every failure is one sentence that says what is wrong and what to do.

say() { printf '%s: %s\n' "${STEP:-nullscope}" "$*"; }
die() { printf '%s: %s\n' "${STEP:-nullscope}" "$*" >&2; exit 1; }

# need_space FOLDER MEGABYTES WHAT: before anything is fetched, not after half of it.
need_space() {
  local free
  free=$(df -Pm "$1" | awk 'NR == 2 {print $4}')
  [ "$free" -ge "$2" ] || die "$3 needs $2 MB free in $1, and $free MB are: make room and run this again."
}

# with_growth TOTAL_BYTES WHAT FOLDER... -- COMMAND...: runs a command that shows nothing itself, and
# prints how far the files in FOLDER... have grown since; every 2 s on a terminal, every 10 s in a log.
with_growth() {
  local total=$1 what=$2 folders=() start size pid status=0 pause=10
  shift 2
  while [ "$1" != -- ]; do folders+=("$1"); shift; done
  shift
  [ -t 1 ] && pause=2
  start=$(bytes_in "${folders[@]}")
  "$@" &
  pid=$!
  # Ctrl-C reaches a child of the terminal by itself; a plain kill does not.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  SECONDS=0
  while kill -0 "$pid" 2>/dev/null; do
    if [ "$((SECONDS % pause))" -eq 0 ] && [ "$SECONDS" -gt 0 ]; then
      size=$(($(bytes_in "${folders[@]}") - start))
      [ "$size" -le "$total" ] || size=$total
      printf '%s: %s: %d of %d MB (%d %%), %d s\n' "$STEP" "$what" $((size / 1000000)) $((total / 1000000)) \
        $((total > 0 ? 100 * size / total : 0)) "$SECONDS"
    fi
    sleep 1
  done
  wait "$pid" || status=$?
  trap - INT TERM
  return "$status"
}

bytes_in() { { du -sbc "$@" 2>/dev/null || true; } | awk 'END {print $1 + 0}'; }
