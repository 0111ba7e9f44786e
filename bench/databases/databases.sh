#!/bin/bash
# `make measure-databases [ROCKSDB=DIRECTORY]`: RocksDB databases without filters, with its own and with ours, from the
# disk and in the cache, with 0 to 100 % of absent keys, and while they are written (database_bench). RocksDB's Bloom
# again, in another copy of the database, shows what chance does.
# Usage: databases.sh [FLAGS OF database_bench]
#
# Environment:
#   ROCKSDB=DIRECTORY            a RocksDB source tree, which is built first, instead of the installed one
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
paths=$(bench/keys/debian_paths.sh)
bench/report/machine.sh "make measure-databases${ROCKSDB:+ ROCKSDB=...}${*:+: $*}" >"$work/machine"
# Small pages let chance, in where a filter lies, change what its lookups take.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
if [ -n "${ROCKSDB:-}" ]; then
  program=$(bench/databases/build_with_rocksdb.sh "$ROCKSDB")/database_bench
  sed -i "s|^RocksDB	.*|RocksDB	$(bench/databases/describe_rocksdb.sh "$ROCKSDB")|" "$work/machine"
else
  need_programs //bench/databases:database_bench
  program=$ONELINE_PROGRAMS/bench/databases/database_bench
fi
{
  cat "$work/machine"
  printf 'GLIBC_TUNABLES\t%s\n' "$GLIBC_TUNABLES"
} >"$work/machine.txt"
"$program" --only=rocksdb --paths="$paths" --out="$work" "$@"
report=$PWD/bench/report
(cd "$work" && awk -f "$report/digits.awk" -f "$report/figures.awk" machine.txt databases.tsv >results)
publish "$work/results"
