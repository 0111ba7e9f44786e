#!/bin/bash
# `make measure-frontier`: a crawler's frontier (url_frontier.h) with RocksDB's Bloom filters and with ours, kept in
# memory, in block caches that hold them and the indexes, and in caches that do not. Prints medians of the rounds. Bloom
# again shows what chance does. A run that is complete is kept, so the command can be stopped, and with the same URLS and
# FLAGS goes on where it was.
#
# Usage: frontier.sh [URLS [ROUNDS [FLAGS OF frontier_bench]]]
#   URLS     known at the end; default 12000000
#   ROUNDS   how often each case runs; default 1, two hours
#
# Environment:
#   OUT=DIRECTORY                keeps results; default ~/.cache/oneline/frontier. Remove it to measure again
#   CACHES="..."                 0 for filters in memory, else MEGABYTES/BITS: of a cache of 2^BITS shards, 6 as RocksDB's
#                                default for 256 MB. Default "0 256/6 256/2 16/0": into 64 MB six minutes would fit
#   MINUTES=6                    of a run with a cache; in memory it ends with URLS
#   RUNS=N                       stops after so many runs; default all
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the program; without it it is built
#   TMPDIR                       where the database is; needs 10 GB
set -euo pipefail
urls=${1:-12000000}
rounds=${2:-1}
flags=("${@:3}")
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
minutes=${MINUTES:-6}
must_be_numbers "$urls" "$rounds" "$minutes"
need_programs //bench/frontier:frontier_bench
caches=${CACHES:-0 256/6 256/2 16/0}
for cache in $caches; do
  [[ $cache = 0 || $cache =~ ^[0-9]+/[0-9]+$ ]] || fail "CACHES: '$cache' must be 0 or MEGABYTES/BITS, such as 256/6"
done
out=$(kept_folder frontier "$urls" "$minutes" ${flags[@]+"${flags[@]}"})
left=${RUNS:--1}

# ROUND CACHE NAME FILTER
run() {
  local results=$out/$1-${2/\//-}-$3.tsv
  if [ -e "$results" ] || [ "$left" = 0 ]; then return; fi
  echo "round $1 of $rounds: cache $2, $3 ..." >&2
  local cache=()
  [ "$2" = 0 ] || cache=(--cache_mb="${2%/*}" --cache_shard_bits="${2#*/}" --minutes="$minutes")
  "$ONELINE_PROGRAMS/bench/frontier/frontier_bench" --urls="$urls" --name="$3" --filter="$4" \
    ${cache[@]+"${cache[@]}"} ${flags[@]+"${flags[@]}"} >"$work/results"
  mv "$work/results" "$results"
  left=$((left - 1))
}

bench/report/machine.sh "make measure-frontier: $rounds rounds, $minutes minutes with a cache${flags[*]:+, ${flags[*]}}" >"$work/all"
for ((round = 1; round <= rounds; ++round)); do
  for cache in $caches; do
    run $round "$cache" "RocksDB's Bloom" bloomfilter:10:false
    run $round "$cache" oneline:10 oneline:10
    run $round "$cache" "RocksDB's Bloom, again" bloomfilter:10:false
    # The rate of RocksDB's Bloom filter of 10 bits, of `make bench`.
    run $round "$cache" "Bloom's rate" '{id=oneline;fp_rate=0.0097}'
  done
done
cat "$out"/*.tsv | awk -f bench/report/medians.awk >"$work/medians"
awk -v published="$work/all" -f bench/report/digits.awk -f bench/report/table.awk "$work/medians" | expand -t 48,72,88,104,140,170,186
publish "$work/all"
