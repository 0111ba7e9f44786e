#!/bin/bash
# `make measure-databases`, -budget, -kinds, -levels and -large: the plans of database_bench whose names have these words.
# Usage: databases.sh databases|budget|kinds|levels|large [FLAGS OF database_bench]
#
# Environment:
#   ROCKSDB=DIRECTORY            a RocksDB source tree, which is built first, instead of the installed one
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
#   TMPDIR                       where the databases are; needs 10 GB
#   KEEP=DIRECTORY               where those of "large" are, and stay; needs 60 GB
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
case ${1:-} in
  databases) plans=(databases writes) ;;
  budget | kinds | levels) plans=("$1") ;;
  large)
    [ -n "${KEEP:-}" ] || fail "KEEP= must name a directory with room for 60 GB"
    plans=(large)
    ;;
  *) fail "usage: see $0" ;;
esac
begin_results "make measure-$1${ROCKSDB:+ ROCKSDB=...}${2:+: ${*:2}}"
. bench/databases/program.sh
flags=("${@:2}")
[ "$1" != databases ] || flags+=(--paths="$(bench/keys/debian_paths.sh)")
[ "$1" != large ] || flags+=(--keep="$KEEP")
for plan in "${plans[@]}"; do
  "$database_bench" --only="$plan" "${flags[@]}" >>"$work/measured"
done
if [ "$1" = large ]; then
  cat "$KEEP"/*/*.tsv >"$work/measured"
fi
add_results "$work/measured"
publish
