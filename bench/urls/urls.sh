#!/bin/bash
# `make measure-urls`: runs url_sets_bench, and prints what it measured as a table.
# Usage: urls.sh [ARGUMENTS OF url_sets_bench]
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
bench/report/machine.sh "make measure-urls${*:+: $*}" >"$work/results"
ROWS=$work/rows bench/report/run_benchmarks.sh bench/urls/url_sets_bench "$@"
awk -F '\t' -v OFS='\t' '
  $4 == "ns" { print $2, $3, $1, sprintf("%.0f\t%.0f\t%.0f", $5, $6, $7) }
  $4 != "ns" { print $2, $3, $4, sprintf("%.4g", $5), "", "" }' "$work/rows" >>"$work/results"
publish "$work/results"
