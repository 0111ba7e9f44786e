#!/bin/bash
# `make measure-load`: reads beside writes, at a fixed rate of requests (load_bench.cc): each workload with one and with
# two threads, at half and at nine tenths of what a closed loop reaches. A case takes eight minutes, all of them two
# hours. Each that is complete is kept, so the command can be stopped, and with the same FLAGS goes on where it was.
#
# Usage: load.sh [FLAGS OF load_bench]
#
# Environment:
#   CASES=N                      stops after so many cases; default all
#   OUT=DIRECTORY                keeps databases and results; default ~/.cache/oneline/load. Remove it to measure again
#   ROCKSDB=DIRECTORY            a RocksDB source tree, which is built first, instead of the installed one
#   FIGURES=FILE                 also writes the results, of all versions of RocksDB, in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
out=$(kept_folder load "$@")
bench/report/machine.sh "make measure-load${*:+: $*}" >"$work/machine"
echo "GLIBC_TUNABLES	${GLIBC_TUNABLES:-not set}" >>"$work/machine"
version=installed
if [ -n "${ROCKSDB:-}" ]; then
  version=$(basename "$ROCKSDB")
  bench=$(bench/databases/build_with_rocksdb.sh "$ROCKSDB")/../load/load_bench
  printf 'RocksDB\t%s\n' "$(bench/databases/describe_rocksdb.sh "$ROCKSDB")" >"$out/$version.rocksdb"
else
  need_programs //bench/load:load_bench
  bench=$ONELINE_PROGRAMS/bench/load/load_bench
  grep '^RocksDB' "$work/machine" >"$out/$version.rocksdb"
fi

left=${CASES:-16}
for workload in readwhilewriting A B C; do
  for threads in 1 2; do
    for load in 0.5 0.9; do
      results=$out/$version-$workload-$threads-$load.tsv
      if [ -e "$results" ] || [ "$left" = 0 ]; then continue; fi
      "$bench" --workload=$workload --threads=$threads --load=$load \
        --databases="$out/databases-$version" "$@" >"$work/results"
      mv "$work/results" "$results"
      expand -t 40,66,80,90,100 "$results"
      left=$((left - 1))
    done
  done
done
{
  grep -v '^RocksDB' "$work/machine"
  cat "$out"/*.rocksdb "$out"/*.tsv
} >"$work/all"
publish "$work/all"
