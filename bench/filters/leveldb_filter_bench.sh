#!/bin/sh
# `make bench-leveldb`: runs leveldb_filter_bench with its repetitions in random order.
# Usage: leveldb_filter_bench.sh [ARGUMENTS OF leveldb_filter_bench]
set -eu
cd "$(dirname "$0")/../.."
bazel build --noshow_progress --ui_event_filters=-info //bench/filters:leveldb_filter_bench
grep -m1 'model name' /proc/cpuinfo || true
"${CXX:-g++}" --version | head -n 1
exec bazel-bin/bench/filters/leveldb_filter_bench \
  --benchmark_enable_random_interleaving=true --benchmark_repetitions=7 \
  --benchmark_report_aggregates_only=true --benchmark_min_time=0.1 "$@"
