#!/bin/sh
# `make bench`: filter_bench with its repetitions interleaved, and RocksDB's
# filters twice, as the distribution built them and with AVX2.
# Usage: filter_bench.sh [ARGUMENTS OF filter_bench]
set -eu
cd "$(dirname "$0")/.."
echo "building RocksDB's filters with AVX2 and without assertions" >&2
ONELINE_PEER=$(bench/peer/build.sh)
export ONELINE_PEER
bazel build --noshow_progress --ui_event_filters=-info //bench:filter_bench
grep -m1 'model name' /proc/cpuinfo || true
"${CXX:-g++}" --version | head -n 1
exec bazel-bin/bench/filter_bench --benchmark_enable_random_interleaving=true \
  --benchmark_repetitions=5 --benchmark_report_aggregates_only=true \
  --benchmark_min_time=0.2 "$@"
