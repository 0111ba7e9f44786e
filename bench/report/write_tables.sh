#!/bin/sh
# `make measure-tables`, and whatever measures for the documents: fills in their tables, from
# the results in docs/internals/figures/ (tables.awk), and what follows from results (gains.awk).
# Usage: write_tables.sh [FIGURES]
#   FIGURES   results of `make bench` on this machine, which become those of its
#             processor's maker, such as docs/internals/figures/amd.tsv
set -eu
cd "$(dirname "$0")/../.."
if [ $# = 1 ]; then
  maker=$(sed -n 's/^vendor_id.*: \(Authentic\|Genuine\)//p' /proc/cpuinfo | head -n 1 | tr A-Z a-z)
  cp "$1" "docs/internals/figures/${maker:-arm}.tsv"
fi
work=$(mktemp)
trap 'rm -f "$work"' EXIT
awk -f bench/report/gains.awk docs/internals/figures/large.tsv >"$work"
cat "$work" >docs/internals/figures/gains.tsv
for page in $(grep -rl --include='*.md' '^<!-- figures of ' README.md docs membership); do
  awk -f bench/report/tables.awk "$page" >"$work"
  cat "$work" >"$page"
done
