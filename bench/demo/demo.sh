#!/bin/bash
# `make demo`: runs the demo on the paths of the Debian archive or, if they cannot
# be fetched, on those of this machine's packages.
# Usage: demo.sh [ARGUMENTS OF demo]
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
need_programs //bench/demo
paths=$(bench/keys/debian_paths.sh)
"$ONELINE_PROGRAMS/bench/demo/demo" --paths="$paths" "$@"
