#!/bin/sh
# `make demo`: runs the demo on the paths of the Debian archive or, if they cannot
# be fetched, on those of this machine's packages.
# Usage: demo.sh [ARGUMENTS OF demo]
set -eu
cd "$(dirname "$0")/../.."
bazel build --noshow_progress --ui_event_filters=-info \
  --show_result=0 //bench/demo:demo
paths=$(bench/keys/debian_paths.sh)
exec bazel-bin/bench/demo/demo --paths="$paths" "$@"
