#!/bin/bash
# `make measure-urls`: runs url_sets_bench, and prints what it measured as a table.
# Usage: urls.sh [ARGUMENTS OF url_sets_bench]
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
begin_results "make measure-urls${*:+: $*}"
benchmarks bench/urls/url_sets_bench "$@"
add_results -v outer=0 "$work/1.json"
publish
