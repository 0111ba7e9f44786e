#!/bin/bash
# `make report`: measures everything that `make bench` does, and writes the page bench/out/report.html
# with the tables and the plot of false-positive rates, which needs no other file.
# Usage: report.sh full|quick|tiny [OUT]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "${2:-bench/out}")
bench/report/bench.sh "${1:-}" "$out"
plot=$PWD/bench/report/rates.gnuplot
(cd "$out" && gnuplot "$plot")

# TITLE FILE: a table as it was printed.
table() {
  echo "<h2>$1</h2><pre>"
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$out/$2" | expand -t 22
  echo '</pre>'
}
{
  echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>oneline: filters compared</title></head><body>'
  sed -n '/<svg/,$p' "$out/rates.svg"
  table "Machine" machine.txt
  table "Databases" databases.txt
  table "Filters and data in one block cache" budget.txt
  table "Filters alone" filters.txt
  echo '</body></html>'
} >"$out/report.html"
echo "report: $out/report.html"
