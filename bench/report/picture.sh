#!/bin/sh
# `make measure-picture`: the plot of false-positive rates of `make report`, as
# docs/images/rates.svg, which README.md shows. Rates do not depend on the
# machine.
set -eu
cd "$(dirname "$0")/../.."
bazel build --noshow_progress --ui_event_filters=-info --show_result=0 \
  //bench/filters:filter_rates
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bazel-bin/bench/filters/filter_rates --lookups=10000000 --keys=800000 \
  >"$work/rates.tsv"
plots=$PWD/bench/report/plots.gnuplot
(cd "$work" && gnuplot -e "rates_alone=1" "$plots")
mkdir -p docs/images
cp "$work/rates.svg" docs/images/rates.svg
echo "docs/images/rates.svg"
