# Sourced by the other scripts: moves to the root of the repository and sets how CMake is called.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=${ALO_JOBS:-$(nproc)}
configure_options=()
if command -v ccache >/dev/null; then
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  configure_options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

# configure PRESET [OPTION...]: CMake's report is shown only when it fails.
configure() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if ! cmake --preset "$preset" "${configure_options[@]}" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "configuring the preset $preset failed (CMake's report is above)" >&2
    return 1
  fi
  rm -f "$log"
}

# compile PRESET [OPTION...]
compile() {
  local preset=$1
  shift
  cmake --build --preset "$preset" --parallel "$jobs" "$@"
}
