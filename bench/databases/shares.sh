#!/bin/bash
# `make measure-shares`: lookups of which 100, 90, 50, 10 and no % are of absent keys, in a RocksDB
# database of a million random keys, from the disk and in the cache (database_bench).
# Usage: shares.sh [FLAGS OF database_bench]
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
need_programs //bench/databases:database_bench
bench/report/machine.sh "make measure-shares${*:+: $*}" >"$work/machine.txt"
"$ONELINE_PROGRAMS/bench/databases/database_bench" --only=rocksdb-random --out="$work" "$@"
report=$PWD/bench/report
(cd "$work" && awk -f "$report/digits.awk" -f "$report/figures.awk" machine.txt databases.tsv >results)
publish "$work/results"
