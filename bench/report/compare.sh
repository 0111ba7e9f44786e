#!/bin/bash
# `make bench` and `make bench-quick`: all measurements in one run: filters alone,
# filters in RocksDB and LevelDB databases, and the distribution's db_bench. Prints
# tables, writes them to bench/out, and ends with an error if an answer is wrong or
# a filter was not used.
#
# Usage: compare.sh full|quick|tiny [OUT]
#   tiny    a few keys, to see that everything works
#
# If the environment variable ROCKSDB names a RocksDB source tree, that is built
# for this processor with the plugin, and databases and db_bench use it instead of
# the distribution's RocksDB.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:-}
out=$(realpath -m "${2:-bench/out}")
# For filters alone: `lookups` are bits per key / kilobytes / offset, `builds` are
# bits per key / kilobytes.
case $mode in
  full)
    scale=1 rounds=7 min_time=0.05 rate_lookups=10000000 rate_keys=800000
    lookups="5/1024/0 7/1024/0 16/1024/0 10/1024/0 10/16/0 10/128/0 10/20480/0
      10/409600/0 10/1048576/0"
    builds="4/1024 5/1024 6/1024 7/1024 8/1024 10/1024 12/1024 16/1024 20/1024"
    db_bench=(2000000 100000 5)
    ;;
  quick)
    scale=0.03 rounds=5 min_time=0.01 rate_lookups=1000000 rate_keys=200000
    lookups="10/16/0 10/1024/0 10/20480/0"
    builds="5/1024 10/1024 16/1024"
    db_bench=(100000 10000 5)
    ;;
  tiny)
    scale=0.001 rounds=5 min_time=0.0001 rate_lookups=10000 rate_keys=2000
    lookups="10/16/0"
    builds="10/1024"
    db_bench=(2000 200 5)
    ;;
  *)
    echo "usage: compare.sh full|quick|tiny [OUT]" >&2
    exit 2
    ;;
esac

# The memory to build a filter of 1 GB beside those that are in memory then.
largest_needs_kb=$((14 << 20))

tsv() { printf '%s\t%s\n' "$1" "$2"; }
version_of() { dpkg-query -W -f='${Version}' "$1"; }

describe_machine() {
  tsv what value
  tsv date "$(date -u '+%Y-%m-%d %H:%M') UTC, $mode run"
  tsv processor "$(nproc) of $(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)"
  tsv caches "$(lscpu | sed -n 's/^ *\(L[123]d*\) cache: */\1 /p' | paste -s -d, | sed 's/,/, /g')"
  tsv memory "$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1048576 }' /proc/meminfo)"
  tsv disk "$(df --output=source,fstype "${TMPDIR:-/tmp}" | awk 'NR == 2 { print $1 ", " $2 }')"
  tsv system "$(. /etc/os-release && echo "$PRETTY_NAME"), Linux $(uname -r)"
  tsv load "$(cut -d ' ' -f 1-3 /proc/loadavg) when it began"
  tsv compiler "$("${CXX:-g++}" --version | head -n 1), -O2, without assertions"
  tsv oneline "$(git describe --always --dirty 2>/dev/null || echo unknown)"
  if [ -n "${ROCKSDB:-}" ]; then
    tsv "RocksDB in databases" "$ROCKSDB, built for this processor, without assertions, with our plugin"
  fi
  tsv RocksDB "$(version_of librocksdb-dev) as packaged: Debian 12's has assertions on and AVX2 off, which makes ours look better"
  tsv "RocksDB, AVX2" "its filters alone, from the same source, with AVX2 and without assertions"
  tsv LevelDB "$(version_of libleveldb-dev) as packaged"
}

# FILE: gives a complete table its name.
finish() {
  mv "$out/$1.unfinished" "$out/$1"
}

stage() {
  echo "$*" >&2
}

# PROGRAM REGEX TABLE: runs these benchmarks and appends their rows to the table.
run_benchmarks() {
  "bazel-bin/bench/filters/$1" --benchmark_filter="$2" --benchmark_out="$out/part" \
    --benchmark_enable_random_interleaving=true --benchmark_repetitions=5 \
    --benchmark_display_aggregates_only=true --benchmark_min_time=$min_time >"$out/log" 2>&1 || {
    tail -n 5 "$out/log" >&2
    echo "error: $1 failed" >&2
    exit 1
  }
  if [ -s "$out/$3" ]; then tail -n +2 "$out/part"; else cat "$out/part"; fi >>"$out/$3"
  rm "$out/part" "$out/log"
}

filters_alone() {
  bazel-bin/bench/filters/filter_rates --out="$out/rates.tsv" --lookups=$rate_lookups --keys=$rate_keys
  : >"$out/filters.tsv.unfinished"
  stage "the time to make a key, which times of lookups contain ..."
  run_benchmarks filter_bench '^(dependent_)?keys/' filters.tsv.unfinished
  for setting in $lookups; do
    IFS=/ read -r bits kilobytes offset <<<"$setting"
    if [ "$kilobytes" = 1048576 ] &&
      [ "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -lt $largest_needs_kb ]; then
      stage "left out: filters of 1 GB, whose builds need 14 GB of memory"
      continue
    fi
    stage "lookups in filters of $bits bits per key, $kilobytes KB, at $offset modulo 64 ..."
    run_benchmarks filter_bench "^(absent|present|batch32|dependent_absent|dependent_present)/$bits/${kilobytes}KB/$offset/" filters.tsv.unfinished
  done
  for setting in $builds; do
    stage "building filters of ${setting%/*} bits per key, ${setting#*/} KB ..."
    run_benchmarks filter_bench "^build/${setting}KB/" filters.tsv.unfinished
  done
  finish filters.tsv
  stage "LevelDB's filters ..."
  : >"$out/leveldb_filters.tsv.unfinished"
  run_benchmarks leveldb_filter_bench '^(absent|present|build)/' leveldb_filters.tsv.unfinished
  finish leveldb_filters.tsv
}

mkdir -p "$out"
describe_machine >"$out/machine.tsv.unfinished"
finish machine.tsv
cat "$out/machine.tsv"
stage "building ..."
ONELINE_PEER=$(bench/filters/peer/build.sh)
export ONELINE_PEER
bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //bench/... //:liboneline_preload.so
databases=bazel-bin/bench/databases
if [ -n "${ROCKSDB:-}" ]; then
  stage "building RocksDB ..."
  databases=$(bench/databases/build_with_rocksdb.sh "$ROCKSDB")
fi
paths=$(bench/keys/debian_paths.sh)

filters_alone
"$databases/database_bench" --paths="$paths" --out="$out" --scale=$scale --rounds=$rounds
bench/db_bench/db_bench.sh "${db_bench[@]}" "$out/db_bench.tsv"
echo
echo "tables: $out"
