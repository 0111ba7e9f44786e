#!/bin/bash
# `make measure-databases`, -writes, -budget, -kinds, -levels and -large: the plans of database_bench whose names have these words.
# Usage: databases.sh databases|writes|budget|kinds|levels|large [FLAGS OF database_bench]
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
  databases | writes | budget | kinds | levels) ;;
  large) [ -n "${KEEP:-}" ] || fail "KEEP= must name a directory with room for 60 GB" ;;
  *) fail "usage: see $0" ;;
esac
begin_results "make measure-$1${ROCKSDB:+ ROCKSDB=...}${2:+: ${*:2}}"
. bench/databases/program.sh
# The installed one measures nothing here.
[ -z "${ROCKSDB:-}" ] || sed -i '/^RocksDB\t/d' "$work/results"
flags=("${@:2}")
[ "$1" != databases ] || flags+=(--paths="$(bench/keys/debian_paths.sh)")
[ "$1" != large ] || flags+=(--keep="$KEEP")
"$database_bench" --only="$1" "${flags[@]}" >"$work/measured"
[ "$1" != large ] || cat "$KEEP"/*/*.tsv >"$work/measured"
add_results "$work/measured"
publish
