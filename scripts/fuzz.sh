#!/usr/bin/env bash
# Runs the fuzz targets under the address and undefined-behaviour sanitizers.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/fuzz.sh [SECONDS] [TARGET...]

Builds the fuzz targets with clang in build/fuzz, runs each on its committed inputs (tests/fuzz/corpus/TARGET) and then
fuzzes it for SECONDS (600; 0: the committed inputs alone). Targets: gguf, settings, template, tokenizer; all of them
when none is named.

Inputs that reach new code collect in build/fuzz/corpus/TARGET. Findings lie in build/fuzz/findings/TARGET, and the
exit code is then 1. To see one again: build/fuzz/tests/fuzz/TARGET_fuzz FILE
TEXT
}

seconds=600
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  [0-9]*) seconds=$1; shift ;;
esac
cd "$(dirname "$0")/.."
targets=("$@")
[[ $# -gt 0 ]] || targets=(gguf settings template tokenizer)
for target in "${targets[@]}"; do
  [[ -d tests/fuzz/corpus/$target ]] || { usage >&2; exit 2; }
done

say() { echo "fuzz: $*" >&2; }
command -v clang++ >/dev/null || { say "clang++ is missing: apt-get install clang"; exit 2; }
say "building build/fuzz"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake --preset dev -B build/fuzz -DCMAKE_CXX_COMPILER=clang++ -DMINFER_BUILD_FUZZ=ON -DMINFER_BUILD_TESTS=OFF -DMINFER_SIMD_ISAS=none \
         -DMINFER_SANITIZE=address,undefined,fuzzer-no-link &&
       cmake --build build/fuzz -j "${MINFER_JOBS:-$(nproc)}" --target "${targets[@]/%/_fuzz}"; } >"$log" 2>&1; then
  tail -n 60 "$log" >&2
  exit 1
fi

# One input may take ten seconds and the whole process 2 GiB, before either counts as a finding.
fuzz() {
  local target=$1
  shift
  "build/fuzz/tests/fuzz/${target}_fuzz" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/findings/$target/" "$@"
}

failed=()
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/findings/$target" "build/fuzz/corpus/$target"
  say "$target: committed inputs"
  fuzz "$target" tests/fuzz/corpus/"$target"/* >"$log" 2>&1 || { tail -n 40 "$log" >&2; failed+=("$target"); continue; }
  [[ $seconds != 0 ]] || continue
  dictionary=()
  [[ ! -f tests/fuzz/$target.dict ]] || dictionary=(-dict="tests/fuzz/$target.dict")
  say "$target: $seconds seconds"
  if fuzz "$target" -max_total_time="$seconds" -max_len=16384 "${dictionary[@]}" \
       "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
    grep -E '^(Done|stat::number_of_executed_units|stat::peak_rss_mb)' "$log" | sed "s/^/fuzz: $target: /" >&2
  else
    tail -n 60 "$log" >&2
    failed+=("$target")
  fi
done

if [[ ${#failed[@]} -gt 0 ]]; then
  say "findings in: ${failed[*]} (build/fuzz/findings)"
  exit 1
fi
say "nothing found"
