#!/usr/bin/env bash
# Configures a preset when needed and builds it, quietly: the tools' output is shown when they fail.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/build.sh [--program-only] PRESET [TARGET...]

Builds the targets (all of them when none is named) of a preset of CMakePresets.json under build/PRESET.

  --program-only  only the program; needs no test packages and leaves a build folder that has tests as it is

MINFER_JOBS sets the number of parallel jobs.
TEXT
}

program_only=no
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --program-only) program_only=yes; shift ;;
esac
case ${1:-} in
  '' | -*) usage >&2; exit 2 ;;
esac
preset=$1
shift
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  "$@" >"$log" 2>&1 </dev/null && return
  tail -n 60 "$log" >&2
  echo "build: failed: $*" >&2
  exit 1
}

# The same folder serves both kinds of build, so that neither compiles again what the other made.
if [[ $program_only == yes ]]; then
  set -- minfer
  [[ -f build/$preset/build.ninja ]] || quietly cmake --preset "$preset" -DMINFER_BUILD_TESTS=OFF
elif [[ ! -f build/$preset/build.ninja ]] || ! grep -q '^MINFER_BUILD_TESTS:BOOL=ON$' "build/$preset/CMakeCache.txt"; then
  quietly cmake --preset "$preset" -DMINFER_BUILD_TESTS=ON
fi

# One compiler needs about a gigabyte.
jobs=$(nproc)
available_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
if [[ -n $available_kb && $jobs -gt $((available_kb / 1000000 + 1)) ]]; then
  jobs=$((available_kb / 1000000 + 1))
fi
targets=()
[[ $# -eq 0 ]] || targets=(--target "$@")
quietly cmake --build "build/$preset" -j "${MINFER_JOBS:-$jobs}" "${targets[@]}"
