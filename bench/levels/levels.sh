#!/bin/bash
# `make measure-levels`: runs level_bench, which prints a table; without flags
# another one with the bits that Pebble has for each level, in our filters, and
# hits_bench.
# Usage: levels.sh [FLAGS OF level_bench]
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
need_programs //bench/levels:level_bench //bench/levels:hits_bench
bench/report/machine.sh "make measure-levels${*:+: $*}" >"$work/results"

# POLICY FILTER [FLAGS OF level_bench]
measure() {
  local policy=$1 filter=$2
  shift 2
  "$ONELINE_PROGRAMS/bench/levels/level_bench" --policy="$policy" "$@" | tee "$work/table"
  awk -v OFS='\t' -v filter="$filter" '
    BEGIN {
      split("bits per key, least/bits per key, most/of uniform, median/of uniform, most/" \
        "of uniform 10 bits, median/of uniform 10 bits, most", quantity, "/")
    }
    NR > 2 {
      history = substr($0, 1, 52)
      sub(/ +$/, "", history)
      for (i = 1; i <= 6; ++i) print history, filter, quantity[i], $(NF - 7 + i), "", ""
    }' "$work/table" >>"$work/results"
}

measure oneline:10 oneline:10 "$@"
# Those of Pebble's progressive policy, for its levels 0 to 6, which have dynamic
# sizes.
[ $# -gt 0 ] ||
  measure '{id=oneline;level_bits_per_key=16:16:16:16:14:10:8}' "Pebble's constants" --only=dynamic

# Lookups that find their key.
hits() {
  "$ONELINE_PROGRAMS/bench/levels/hits_bench" | tee "$work/table"
  awk -v OFS='\t' '
    BEGIN { split("bits per key/0%/50%/90%/99%/Zipf, 50%/Zipf, 90%/Zipf, 99%", column, "/") }
    NR > 2 {
      policy = $1
      gsub(/{id=oneline;|}/, "", policy)
      for (i = 1; i <= 8; ++i) print column[i], policy, "hits", $(i + 1), "", ""
    }' "$work/table" >>"$work/results"
}
[ $# -gt 0 ] || hits
publish "$work/results"
