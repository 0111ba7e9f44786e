#!/bin/sh
# `make levels`: false positives of a leveled database with bits allocated over its
# levels, and with the same bits for all.
# Usage: level_bench.sh [ARGUMENTS OF level_bench]
set -eu
cd "$(dirname "$0")/../.."
bazel build --noshow_progress --ui_event_filters=-info \
  --show_result=0 //bench/levels:level_bench
exec bazel-bin/bench/levels/level_bench "$@"
