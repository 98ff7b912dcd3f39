#!/usr/bin/env bash
# Builds everything and runs the fast tests.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/test.sh [--preset PRESET] [ARGUMENTS OF ctest...]

Installs the packages that the tests need, builds everything and runs every fast test; the runner's
closing lines come last. What is already done is skipped.

  --preset PRESET  release (the default), dev, asan or tsan

  scripts/test.sh -R gguf              only the tests whose name matches
  scripts/test.sh --preset asan
TEXT
}

preset=release
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    *) break ;;
  esac
done

cd "$(dirname "$0")/.."
say() { echo "test: $*" >&2; }

say "packages"
scripts/setup.sh test
say "building build/$preset (several minutes the first time)"
scripts/build.sh "$preset"
say "running the fast tests"
ctest --test-dir "build/$preset" --label-regex '^fast$' --no-tests=error --output-on-failure -j "$(nproc)" "$@" </dev/null
