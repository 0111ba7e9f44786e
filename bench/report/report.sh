#!/bin/bash
# `make report`: measures everything that `make bench` does, then writes the page
# bench/out/report.html with plots, which needs no other file.
# Usage: report.sh full|quick|tiny|again [OUT]
#   again   writes the page from the tables of the last run
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "${2:-bench/out}")
if [ "${1:-}" != again ]; then
  bench/report/compare.sh "${1:-}" "$out"
fi
bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //bench/report:write_report
# KIND: our filter with the kernel that this machine chooses, as filter_bench
# names it. Filters of 16 KB are measured with no other.
usual() {
  awk -F'\t' -v name="oneline_$1_" '$3 == "16KB" && index($5, name) == 1 { print $5; exit }' "$out/filters.tsv"
}
plots=$PWD/bench/report/plots.gnuplot
(cd "$out" && gnuplot -e "ribbon='$(usual ribbon)'; bloom='$(usual bloom)'" "$plots")
bazel-bin/bench/report/write_report "$out"
echo "report: $out/report.html"
