#!/usr/bin/env bash
# From a fresh clone to an answer: packages, program, default model, one prompt.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/quickstart.sh [PROMPT] [ARGUMENTS OF minfer run...]

Installs the packages that the program needs, builds it (build/release/minfer), brings the default
model and answers the prompt. What is already done is skipped. Everything but the answer goes to
standard error.

  scripts/quickstart.sh "Why is the sky blue?"
  scripts/quickstart.sh "Why is the sky blue?" --temp 0 -n 64

The model is kept in MINFER_MODEL_DIR, or else in ${XDG_CACHE_HOME:-~/.cache}/minfer/models.
TEXT
}

prompt='Why is the sky blue?'
if [[ $# -gt 0 ]]; then
  case $1 in
    -h | --help) usage; exit 0 ;;
    -*) ;;  # an option of minfer run
    *) prompt=$1; shift ;;
  esac
fi

root=$(cd "$(dirname "$0")/.." && pwd)
say() { echo "quickstart: $*" >&2; }
started=$SECONDS

say "1/4 packages"
"$root/scripts/setup.sh" build
say "2/4 program (a minute or two the first time)"
"$root/scripts/build.sh" --program-only release
say "3/4 model"
model=$("$root/scripts/fetch_model.sh")
say "4/4 answer ($((SECONDS - started)) s so far): build/release/minfer run $(printf '%q ' "$model" "$prompt" "$@")"
exec "$root/build/release/minfer" run "$model" "$prompt" "$@"
