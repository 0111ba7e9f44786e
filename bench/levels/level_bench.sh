#!/bin/sh
# `make levels`: false positives of a leveled database with bits allocated over its
# levels, and with the same bits for all; then of databases that grow from nothing; and
# the time of lookups where only the last level is read from the disk.
# Usage: level_bench.sh
set -eu
cd "$(dirname "$0")/../.."
bazel build --noshow_progress --ui_event_filters=-info \
  --show_result=0 //bench/levels/...
bazel-bin/bench/levels/level_bench
bazel-bin/bench/levels/growth_bench
bazel-bin/bench/levels/read_cost_bench
