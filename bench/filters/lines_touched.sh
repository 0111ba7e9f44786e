#!/bin/sh
# `make measure-lines`: runs lines_touched, with RocksDB's filters both as the distribution
# built them and with AVX2.
# Usage: lines_touched.sh [LOOKUPS]
set -eu
cd "$(dirname "$0")/../.."
echo "building RocksDB's filters with AVX2 and without assertions" >&2
ONELINE_PEER=$(bench/filters/peer/build.sh)
export ONELINE_PEER
bazel build --noshow_progress --ui_event_filters=-info //bench/filters:lines_touched
exec bazel-bin/bench/filters/lines_touched "$@"
