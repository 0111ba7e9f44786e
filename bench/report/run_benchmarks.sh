#!/bin/bash
# Runs a program that uses Google Benchmark, with repetitions in random order, so
# that other work of the machine affects all its benchmarks alike, and prints what
# it measured as tables (benchmark_table.cc).
#
# Usage: run_benchmarks.sh PROGRAM [ARGUMENTS OF PROGRAM]
#   PROGRAM   such as bench/filters/filter_bench
#
# Environment:
#   ROWS=FILE                    also appends a line for each benchmark to this file
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$1
shift
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  bazel build --noshow_progress --ui_event_filters=-info --show_result=0 \
    "//${program%/*}:${program##*/}" //bench/report:benchmark_table
  ONELINE_PROGRAMS=bazel-bin
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
"$ONELINE_PROGRAMS/$program" --benchmark_out="$work/result.json" \
  --benchmark_enable_random_interleaving=true --benchmark_repetitions=7 \
  --benchmark_min_time=0.1 "$@" >"$work/log" 2>&1 || {
  tail -n 5 "$work/log" >&2
  echo "error: $program failed" >&2
  exit 1
}
table=$ONELINE_PROGRAMS/bench/report/benchmark_table
[ -z "${ROWS:-}" ] || "$table" --rows "$work/result.json" >>"$ROWS"
"$table" "$work/result.json"
