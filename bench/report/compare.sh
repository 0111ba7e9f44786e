#!/bin/bash
# `make bench` and `make bench-quick`: all measurements in one run: filters alone, and
# filters in RocksDB and LevelDB databases. Prints tables, writes them to bench/out, with
# figures.tsv, which has all results, and ends with an error if an answer is wrong or a
# filter was not used.
#
# Usage: compare.sh full|quick|tiny [OUT]
#   tiny    a few keys, to see that everything works; a test runs it
#
# ONELINE_PROGRAMS names a folder that has the programs; without it they are built.
# If the environment variable ROCKSDB names a RocksDB source tree, that is built
# for this processor with the plugin, and databases use it instead of the
# distribution's RocksDB.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:-}
out=$(realpath -m "${2:-bench/out}")
report=$PWD/bench/report
# For filters alone: `lookups` are bits per key / kilobytes, `builds` are bits per
# key, `parallel` kilobytes. `rounds` are the repetitions of everything.
case $mode in
  full)
    scale=1 rounds=7 min_time=0.05 rate_lookups=100000000 rate_keys=800000
    lookups="5/1024 7/1024 16/1024 10/1024 10/16 10/128 10/20480 10/409600 10/1048576"
    builds="4 5 6 7 8 10 12 16 20" parallel="16 1024 20480"
    budget=(4000000 50000)
    ;;
  quick)
    scale=0.03 rounds=5 min_time=0.01 rate_lookups=1000000 rate_keys=200000
    lookups="10/16 10/1024 10/20480"
    builds="5 10 16" parallel=1024
    budget=(1000000 10000)
    ;;
  tiny)
    scale=0.001 rounds=1 min_time=0.0001 rate_lookups=10000 rate_keys=2000
    lookups="10/16" builds=10 parallel=16
    budget=(300000 1000)
    ;;
  *)
    echo "usage: compare.sh full|quick|tiny [OUT]" >&2
    exit 2
    ;;
esac

# Pages of 2 MiB for databases: with small ones, chance in where a filter lies changes what its lookups take.
huge_pages=glibc.malloc.hugetlb=1

# The memory to build a filter of 1 GB beside those that are in memory then.
largest_needs_kb=$((14 << 20))

describe_machine() {
  bench/report/machine.sh "make bench${ROCKSDB:+ ROCKSDB=...}, $mode: $rounds repetitions"
  if [ -n "${ROCKSDB:-}" ]; then
    printf 'RocksDB in databases\t%s\n' "$(bench/databases/describe_rocksdb.sh "$ROCKSDB")"
  fi
  printf 'RocksDB, AVX2\tits filters alone, from the same source, with AVX2 and without assertions\n'
  dpkg-query -W -f='LevelDB\t${Version} as packaged\n' libleveldb-dev
  printf 'GLIBC_TUNABLES of databases\t%s\n' $huge_pages
}

stage() {
  echo "$*" >&2
}

# PROGRAM REGEX [ARGUMENT]: runs these benchmarks, and appends their rows to
# filters.tsv.
benchmarks() {
  ROWS=${rows:-$out/filters.tsv} bench/report/run_benchmarks.sh "bench/$1" --benchmark_filter="$2" \
    --benchmark_min_time=$min_time --benchmark_repetitions=$rounds ${3:+"$3"}
}

# Builds, and LevelDB's filters, use one instruction set in a process: our Ribbon
# with each that lookups were measured with.
with_each_kernel() {
  local kernel rows=$out/kernel.tsv
  for kernel in $(sed -n 's/^absent\t.*\toneline_ribbon_\([a-z0-9]*\)\tns.*/\1/p' "$out/filters.tsv" | sort -u); do
    stage "builds and LevelDB's filters with the kernel $kernel ..."
    echo "With ONELINE_KERNEL=$kernel:"
    export ONELINE_KERNEL=$kernel
    benchmarks filters/filter_bench "^build/(7|10) bits/1024 KB/oneline_ribbon$"
    benchmarks filters/leveldb_filter_bench "/oneline_ribbon$"
    unset ONELINE_KERNEL
    sed "s/\toneline_ribbon\t/\toneline_ribbon_$kernel\t/" "$rows" >>"$out/filters.tsv"
    rm "$rows"
  done
}

filters_alone() {
  stage "the time to make a key, which times of lookups contain ..."
  benchmarks filters/filter_bench '/making a key/'
  for setting in $lookups; do
    if [ "$setting" = 10/1048576 ] &&
      [ "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -lt $largest_needs_kb ]; then
      stage "left out: filters of 1 GB, whose builds need 14 GB of memory"
      continue
    fi
    stage "lookups in filters of ${setting%/*} bits per key, ${setting#*/} KB ..."
    benchmarks filters/filter_bench "/${setting%/*} bits/${setting#*/} KB/offset 0/"
  done
  for bits in $builds; do
    stage "building filters of $bits bits per key ..."
    benchmarks filters/filter_bench "^build/$bits bits/1024 KB/[^/]*$"
  done
  for kilobytes in $parallel; do
    stage "filters of $kilobytes KB, on one thread and on two ..."
    benchmarks filters/filter_bench "/10 bits/$kilobytes KB/in parallel/"
  done
  stage "LevelDB's filters ..."
  benchmarks filters/leveldb_filter_bench .
  with_each_kernel
}

mkdir -p "$out"
rm -f "$out"/*.tsv "$out"/*.txt
describe_machine >"$out/machine.txt"
expand -t 22 "$out/machine.txt"
databases=${ONELINE_PROGRAMS:-}/bench/databases
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  stage "building ..."
  ONELINE_PEER=$(bench/filters/peer/build.sh)
  bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //bench/...
  export ONELINE_PEER ONELINE_PROGRAMS=$PWD/bazel-bin
  databases=$ONELINE_PROGRAMS/bench/databases
fi
if [ -n "${ROCKSDB:-}" ]; then
  stage "building RocksDB ..."
  databases=$(bench/databases/build_with_rocksdb.sh "$ROCKSDB")
fi
paths=$(bench/keys/debian_paths.sh)

"$ONELINE_PROGRAMS/bench/filters/filter_rates" --lookups=$rate_lookups --keys=$rate_keys >"$out/rates.tsv"
filters_alone | tee "$out/filters.txt"
GLIBC_TUNABLES=$huge_pages "$databases/database_bench" --paths="$paths" --out="$out" --scale=$scale --rounds=$rounds | tee "$out/databases.txt"
stage "filters and data in one block cache ..."
bench/budget/budget.sh --keys="${budget[0]}" --lookups="${budget[1]}" --only="Zipf, full filters, 90% hits" | tee "$out/budget.txt"
(cd "$out" && awk -f "$report/digits.awk" -f "$report/figures.awk" \
  machine.txt rates.tsv filters.tsv databases.tsv >figures.tsv)
echo
echo "tables: $out"
