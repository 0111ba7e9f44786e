#!/bin/bash
# `make bench` and `make bench-quick`: filters alone, and in RocksDB databases, in one run. Prints tables,
# writes them to bench/out, with figures.tsv, which has all results, and ends with an error if an answer
# is wrong or a filter was not used.
#
# Usage: bench.sh full|quick|tiny [OUT]
#   tiny    a few keys, to see that everything works; a test runs it
#
# ONELINE_PROGRAMS names a folder that has the programs; without it they are built. If ROCKSDB names a
# RocksDB source tree, that is built for this processor with the plugin, and databases use it instead of
# the distribution's RocksDB.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:-}
out=$(realpath -m "${2:-bench/out}")
# For filters alone: `lookups` are bits per key / kilobytes, `builds` are bits per key, `parallel`
# kilobytes. `rounds` are the repetitions of everything.
case $mode in
  full)
    scale=1 rounds=7 min_time=0.05 rate_lookups=100000000 rate_keys=800000
    lookups="5/1024 7/1024 16/1024 10/1024 10/16 10/128 10/20480 10/409600 10/1048576"
    builds="4 5 6 7 8 10 12 16 20" parallel="16 1024 20480"
    ;;
  quick)
    scale=0.03 rounds=5 min_time=0.01 rate_lookups=1000000 rate_keys=200000
    lookups="10/16 10/1024 10/20480" builds="5 10 16" parallel=1024
    ;;
  tiny)
    scale=0.001 rounds=1 min_time=0.0001 rate_lookups=10000 rate_keys=2000
    lookups="10/16" builds=10 parallel=16
    ;;
  *)
    echo "usage: bench.sh full|quick|tiny [OUT]" >&2
    exit 2
    ;;
esac
. bench/report/begin.sh

stage() { echo "$*" >&2; }

# [PROGRAM] REGEX: measures these benchmarks.
measure() {
  benchmarks "bench/filters/$1" --benchmark_filter="$2" --benchmark_min_time=$min_time --benchmark_repetitions=$rounds
}

# Builds, and LevelDB's filters, use one instruction set in a process: our Ribbon with each that lookups
# were measured with.
with_each_kernel() {
  local kernel
  for kernel in $(grep -oh '/oneline_ribbon_[a-z0-9]*"' "$work"/*.json | tr -d '"' | sed 's/.*_//' | sort -u); do
    stage "builds and LevelDB's filters with the kernel $kernel ..."
    export ONELINE_KERNEL=$kernel
    measure filter_bench "^build/(7|10) bits/1024 KB/oneline_ribbon$"
    sed -i "s/\/oneline_ribbon\([\"\/]\)/\/oneline_ribbon_$kernel\1/" "$work/$runs.json"
    measure leveldb_filter_bench "/oneline_ribbon$"
    sed -i "s/\/oneline_ribbon\([\"\/]\)/\/oneline_ribbon_$kernel\1/" "$work/$runs.json"
    unset ONELINE_KERNEL
  done
}

filters_alone() {
  stage "the time to make a key, which times of lookups contain ..."
  measure filter_bench '/making a key/'
  for setting in $lookups; do
    # The memory to build a filter of 1 GB beside those that are in memory then.
    if [ "$setting" = 10/1048576 ] &&
      [ "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -lt $((14 << 20)) ]; then
      stage "left out: filters of 1 GB, whose builds need 14 GB of memory"
      continue
    fi
    stage "lookups in filters of ${setting%/*} bits per key, ${setting#*/} KB ..."
    measure filter_bench "/${setting%/*} bits/${setting#*/} KB/offset 0/"
  done
  for bits in $builds; do
    stage "building filters of $bits bits per key ..."
    measure filter_bench "^build/$bits bits/1024 KB/[^/]*$"
  done
  for kilobytes in $parallel; do
    stage "filters of $kilobytes KB, on one thread and on two ..."
    measure filter_bench "/10 bits/$kilobytes KB/in parallel/"
  done
  stage "LevelDB's filters ..."
  measure leveldb_filter_bench .
  with_each_kernel
}

mkdir -p "$out"
rm -f "$out"/*.tsv "$out"/*.txt
begin_results "make bench${ROCKSDB:+ ROCKSDB=...}, $mode: $rounds repetitions"
printf 'RocksDB, AVX2\tits filters alone, from the same source, with AVX2 and without assertions\n' >>"$work/results"
dpkg-query -W -f='LevelDB\t${Version} as packaged\n' libleveldb-dev >>"$work/results"
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  stage "building ..."
  ONELINE_PEER=$(bench/filters/peer/build.sh)
  export ONELINE_PEER
  need_programs //bench/...
fi
. bench/databases/program.sh
cp "$work/results" "$out/machine.txt"
"$ONELINE_PROGRAMS/bench/filters/filter_rates" --lookups=$rate_lookups --keys=$rate_keys >"$out/rates.tsv"
filters_alone
add_results "$out/rates.tsv" "$work"/*.json | tee "$out/filters.txt"
for plans in databases writes; do
  "$database_bench" --only=$plans --paths="$(bench/keys/debian_paths.sh)" --scale=$scale --rounds=$rounds >>"$work/databases"
done
add_results "$work/databases" | tee "$out/databases.txt"
stage "filters and data in one block cache ..."
"$database_bench" --only="budget full" --setting="Zipf, full filters, 90% hits" --scale=$scale >"$work/budget"
add_results "$work/budget" | tee "$out/budget.txt"
cp "$work/results" "$out/figures.tsv"
echo
echo "tables: $out"
