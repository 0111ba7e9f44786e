#!/bin/bash
# `make measure-budget`: runs budget_bench, and prints what each filter reads into the cache for 1000 lookups: in each
# row the last figure is that of `hits`, by the better of RocksDB's Bloom filters everywhere and none in the last level.
# Usage: budget.sh [FLAGS OF budget_bench]
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
#   TMPDIR                       where the databases are; needs 3 GB
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
need_programs //bench/budget:budget_bench
bench/report/machine.sh "make measure-budget${*:+: $*}" >"$work/all"
"$ONELINE_PROGRAMS/bench/budget/budget_bench" "$@" >"$work/results"
awk -F '\t' '
  $3 == "blocks" {
    if (!($1 in row)) { row[$1]; rows[++m] = $1 }
    if (!($2 in column)) { column[$2]; columns[++n] = $2 }
    value[$1, $2] = $4
  }
  END {
    printf "%-45s", "blocks for 1000 lookups"
    for (j = 1; j <= n; ++j) printf " %*s", length(columns[j]) + 1, columns[j]
    print ""
    for (i = 1; i <= m; ++i) {
      printf "%-45s", rows[i]
      for (j = 1; j <= n; ++j) printf " %*s", length(columns[j]) + 1, value[rows[i], columns[j]]
      bloom = value[rows[i], "RocksDB'\''s Bloom"]
      none = value[rows[i], "none in the last level"]
      least = none < bloom ? none : bloom
      if (value[rows[i], "hits"] != "" && least > 0) printf " x %.2f", value[rows[i], "hits"] / least
      print ""
    }
  }' "$work/results"
sed 's/$/\t\t/' "$work/results" >>"$work/all"
publish "$work/all"
