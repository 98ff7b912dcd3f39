#!/usr/bin/env bash
# The identity rule on real models: evaluates one text in many ways and compares the hashes of all logits.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/nightly_identity.sh [--tokens N] [--text FILE] MODEL...

Runs `minfer eval --logit-hash` on the first N tokens (default 200) of FILE (default docs/numerics.md)
with each instruction set of this machine, repacked and raw weights, and, around each of these, other
numbers of threads, other chunks and no fusion; in every KV format that this build keeps. The first
run of a format, scalar on raw weights, is the reference. Prints a table, and ends with 1 when a hash
differs or a run fails. Sequences that share a step are the concern of the tests, not of this script.

The program is build/release/minfer, or what MINFER names. A 0.5B model takes some minutes per format.
TEXT
}

tokens=200
root=$(cd "$(dirname "$0")/.." && pwd)
text=$root/docs/numerics.md
models=()
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --tokens) tokens=${2:?--tokens needs a number}; shift 2 ;;
    --text) text=${2:?--text needs a file}; shift 2 ;;
    -*) echo "nightly_identity: unknown option '$1'" >&2; usage >&2; exit 2 ;;
    *) models+=("$1"); shift ;;
  esac
done
if [[ ${#models[@]} -eq 0 ]]; then usage >&2; exit 2; fi

minfer=${MINFER:-$root/build/release/minfer}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names of the instruction sets that this machine has, best first: "isa: avx512vnni (chosen), …" of --version.
mapfile -t isas < <("$minfer" --version | sed -n 's/^isa: *//p' | tr ',' '\n' |
  sed -n '/not on this machine/d; s/^ *\([a-z0-9_]*\).*/\1/p')
if [[ ${#isas[@]} -eq 0 ]]; then echo "nightly_identity: $minfer --version names no instruction set" >&2; exit 1; fi

failures=0
runs=0

# Options of one evaluation; prints the hash or the reason why there is none.
hash_of() {
  "$minfer" eval "$model" --tokens-file "$work/tokens" --quiet --logit-hash "$@" 2>"$work/err" >/dev/null &&
    sed -n 's/^logit hash: //p' "$work/err" || head -n 1 "$work/err"
}

# One line of the table. The first of a format is the reference.
compare() {
  local hash verdict=same
  local started=$SECONDS
  hash=$(hash_of "$@")
  runs=$((runs + 1))
  if [[ ! $hash =~ ^[0-9a-f]{16}$ ]]; then verdict=FAILED
  elif [[ -z $reference ]]; then reference=$hash; verdict=reference
  elif [[ $hash != "$reference" ]]; then verdict=DIFFERS
  fi
  if [[ $verdict = FAILED || $verdict = DIFFERS ]]; then failures=$((failures + 1)); fi
  printf '%-9s %-16s %5ss  %s\n' "$verdict" "${hash:0:60}" "$((SECONDS - started))" "$*"
}

for model in "${models[@]}"; do
  "$minfer" tokenize "$model" --file "$text" | tr -d '[] ' | cut -d, -f "1-$tokens" >"$work/tokens"
  echo "$model: $(tr ',' '\n' <"$work/tokens" | grep -c .) tokens of $text"
  for kv in f16 f32 q8_0; do
    reference=
    "$minfer" eval "$model" --tokens 0 --quiet --logit-hash --cache-type "$kv" >/dev/null 2>"$work/err" || true
    if grep -q 'KV cache' "$work/err"; then echo "no KV in $kv: $(head -n 1 "$work/err")"; continue; fi
    compare --cache-type "$kv" --cpu-isa scalar --no-repack -t 2
    compare --cache-type "$kv" --cpu-isa scalar -t 2 --chunk 50 --no-fuse  # slow: one more has to do
    for isa in "${isas[@]}"; do
      if [[ $isa = scalar ]]; then continue; fi
      for layout in "" --no-repack; do
        base=(--cache-type "$kv" --cpu-isa "$isa" ${layout:+"$layout"})
        compare "${base[@]}" -t 2
        compare "${base[@]}" -t 1 --chunk 64
        compare "${base[@]}" -t 3 --chunk 7
        compare "${base[@]}" -t 2 --chunk 1
        compare "${base[@]}" -t 2 --no-fuse
        compare "${base[@]}" -t 7 --chunk 33 --no-fuse
      done
    done
  done
done
echo "$runs runs, $failures different or failed"
[[ $failures -eq 0 ]]
