#!/bin/sh
# Removes from docs/internals/figures/*.tsv the results that neither a table nor a
# sentence of a page cites (cited.awk). A file of which none is cited stays as it is.
# Usage: keep_cited.sh [DIRECTORY]
#   DIRECTORY   where the files are written instead
set -eu
cd "$(dirname "$0")/../.."
figures=docs/internals/figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for page in $(find -L README.md docs membership -name '*.md'); do
  awk -v cited="$work/cited" -f bench/report/tables.awk "$page" >"$work/page"
done
for file in "$figures"/*.tsv; do
  name=$(basename "$file" .tsv)
  awk -v name="$name" -f bench/report/cited.awk "$figures/quotes.txt" "$work/cited" "$file" >"$work/kept"
  awk -F '\t' 'NF >= 6 { any = 1 } END { exit !any }' "$work/kept" || cp "$file" "$work/kept"
  cat "$work/kept" >"${1:-$figures}/$name.tsv"
done
