#!/bin/bash
# Runs a program that uses Google Benchmark, with repetitions in random order, so
# that other work of the machine affects all its benchmarks alike, and prints what
# it measured as tables (benchmark_tables.awk).
#
# Usage: run_benchmarks.sh PROGRAM [ARGUMENTS OF PROGRAM]
#   PROGRAM   such as bench/filters/filter_bench
#
# Environment:
#   ROWS=FILE                    also appends the medians and quartiles to this file
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
program=$1
shift
need_programs "//${program%/*}:${program##*/}"
"$ONELINE_PROGRAMS/$program" --benchmark_out="$work/result.json" \
  --benchmark_enable_random_interleaving=true --benchmark_repetitions=7 \
  --benchmark_min_time=0.1 "$@" >"$work/log" 2>&1 || {
  tail -n 5 "$work/log" >&2
  fail "$program failed"
}
export LC_ALL=C
awk -f bench/report/benchmark_results.awk "$work/result.json" | sort -s -n -k 1,1 | cut -f 2- |
  awk -v quartiles=1 -f bench/report/medians.awk >"$work/rows"
[ -z "${ROWS:-}" ] || cat "$work/rows" >>"$ROWS"
awk -f bench/report/benchmark_tables.awk "$work/rows"
