#!/usr/bin/env bash
# Builds llama_logits, the program that scripts/accuracy runs for llama.cpp's logits.
set -euo pipefail

usage() {
  cat <<TEXT
usage: scripts/accuracy/build_llama_logits.sh LLAMA_TREE LLAMA_BUILD OUT

LLAMA_TREE is a source tree of llama.cpp, LLAMA_BUILD the folder where it was built with shared libraries
(cmake -B LLAMA_BUILD -DCMAKE_BUILD_TYPE=Release && cmake --build LLAMA_BUILD --target llama), OUT the program to write.
TEXT
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
if [[ $# -ne 3 ]]; then usage >&2; exit 2; fi
tree=$1 libraries=$(realpath "$2/bin") out=$3

here=$(cd "$(dirname "$0")" && pwd)
"${CXX:-g++}" -std=c++17 -O2 -Wall -Wextra -I"$tree/include" -I"$tree/ggml/include" "$here/llama_logits.cpp" -o "$out" \
  -L"$libraries" -Wl,-rpath,"$libraries" -Wl,-rpath-link,"$libraries" -lllama -lggml -lggml-base
