#!/bin/bash
# `make measure-picture`: the plot of false-positive rates of `make report`, as
# docs/images/rates.svg, which README.md shows. Rates do not depend on the
# machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
need_programs //bench/filters:filter_rates
"$ONELINE_PROGRAMS/bench/filters/filter_rates" --lookups=10000000 --keys=800000 \
  >"$work/rates.tsv"
plot=$PWD/bench/report/rates.gnuplot
(cd "$work" && gnuplot "$plot")
cp "$work/rates.svg" docs/images/rates.svg
