#!/bin/bash
# `make levels`: runs level_bench, which prints a table.
# Usage: levels.sh [FLAGS OF level_bench]
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //bench/levels:level_bench
  ONELINE_PROGRAMS=bazel-bin
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench/report/machine.sh "make levels${*:+: $*}" >"$work/results"
"$ONELINE_PROGRAMS/bench/levels/level_bench" "$@" | tee "$work/table"
[ -n "${FIGURES:-}" ] || exit 0
awk -v OFS='\t' '
  BEGIN {
    split("bits per key, least/bits per key, most/of uniform, median/of uniform, most/" \
      "of uniform 10 bits, median/of uniform 10 bits, most", quantity, "/")
  }
  NR > 2 {
    history = substr($0, 1, 52)
    sub(/ +$/, "", history)
    for (i = 1; i <= 6; ++i) print history, "oneline:10", quantity[i], $(NF - 7 + i), "", ""
  }' "$work/table" >>"$work/results"
cp "$work/results" "$FIGURES"
