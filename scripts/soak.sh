#!/usr/bin/env bash
# Many loads and many short answers: the memory of a process that serves for long stays flat.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/soak.sh [--loads N] [--answers N] [MODEL...]

Builds the soak program of the release preset and runs 1000 loads and 10000 short answers on each model; tiny models of
tests/data when none is named. Fails when the resident memory grows by a mebibyte or more behind the first tenth, or when
an allocation is not given back.
TEXT
}

loads=1000
answers=10000
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --loads) loads=${2:?--loads needs a number}; shift 2 ;;
    --answers) answers=${2:?--answers needs a number}; shift 2 ;;
    -*) usage >&2; exit 2 ;;
    *) break ;;
  esac
done
models=()
for model in "$@"; do models+=("$(realpath "$model")"); done
cd "$(dirname "$0")/.."
[[ ${#models[@]} -gt 0 ]] || models=("$PWD"/tests/data/models/{qwen2-f32,qwen3-q4_k,llama-q4_1}.gguf)

echo "soak: building build/release" >&2
scripts/build.sh release soak
build/release/tests/soak/soak "$loads" "$answers" "${models[@]}"
