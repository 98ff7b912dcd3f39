#!/usr/bin/env bash
# Writes the pages of docs/ that are made from the sources: settings.md.
set -euo pipefail

case ${1:-} in
  '') ;;
  -h | --help) echo "usage: scripts/update_docs.sh   (writes docs/settings.md from src/base/settings_list.inc)"; exit 0 ;;
  *) echo "update_docs: unknown argument '$1'" >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
scripts/build.sh dev settings_page
build/dev/tests/house/settings_page >docs/settings.md.new
mv docs/settings.md.new docs/settings.md
