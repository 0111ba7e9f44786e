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
# For filters alone: `lookups` are bits per key / kilobytes, `builds` are bits per key. `rounds` are the
# repetitions of everything.
case $mode in
  full)
    scale=1 rounds=7 min_time=0.05 rate_lookups=100000000 rate_keys=800000
    lookups="5/1024 7/1024 16/1024 10/1024 10/16 10/20480 10/409600" builds="5 7 10 16" parallel=1024
    ;;
  quick)
    scale=0.03 rounds=5 min_time=0.01 rate_lookups=1000000 rate_keys=200000
    lookups="10/16 10/1024 10/20480" builds="7 10" parallel=1024
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

# ARGUMENTS OF filter_bench: adds the results to $work/filters, sorted by case and filter.
measure() {
  echo "filters alone: $* ..." >&2
  "$ONELINE_PROGRAMS/bench/filters/filter_bench" --benchmark_enable_random_interleaving=true \
    --benchmark_repetitions=$rounds --benchmark_min_time=$min_time "$@" >"$work/log" || fail "filter_bench $* failed"
  sort -s -t $'\t' -k 1,2 "$work/log" |
    sed "s/oneline_ribbon\t/oneline_ribbon${ONELINE_KERNEL:+_$ONELINE_KERNEL}\t/" >>"$work/filters"
}

filters_alone() {
  local setting kernel
  measure keys
  for setting in $lookups; do measure lookups "${setting%/*}" "${setting#*/}"; done
  for setting in $builds; do measure builds "$setting"; done
  measure parallel $parallel
  # A process builds with one instruction set: our Ribbon with each that lookups were measured with.
  for kernel in $(grep -o 'oneline_ribbon_[a-z0-9]*' "$work/filters" | sed 's/.*_//' | sort -u); do
    for setting in $builds; do
      ONELINE_KERNEL=$kernel measure builds "$setting" --benchmark_filter='/oneline_ribbon$'
    done
  done
}

mkdir -p "$out"
rm -f "$out"/*.tsv "$out"/*.txt
begin_results "make bench${ROCKSDB:+ ROCKSDB=...}, $mode: $rounds repetitions"
printf 'RocksDB, AVX2\tits filters alone, from the same source, with AVX2 and without assertions\n' >>"$work/results"
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  echo "building ..." >&2
  ONELINE_PEER=$(bench/filters/peer/build.sh)
  export ONELINE_PEER
  need_programs //bench/...
fi
. bench/databases/program.sh
cp "$work/results" "$out/machine.txt"
"$ONELINE_PROGRAMS/bench/filters/filter_rates" --lookups=$rate_lookups --keys=$rate_keys >"$out/rates.tsv"
filters_alone
add_results "$out/rates.tsv" "$work/filters" | tee "$out/filters.txt"
for plans in databases writes; do
  "$database_bench" --only=$plans --paths="$(bench/keys/debian_paths.sh)" --scale=$scale --rounds=$rounds >>"$work/databases"
done
add_results "$work/databases" | tee "$out/databases.txt"
echo "filters and data in one block cache ..." >&2
"$database_bench" --only=budget --scale=$scale >"$work/budget"
add_results "$work/budget" | tee "$out/budget.txt"
cp "$work/results" "$out/figures.tsv"
echo
echo "tables: $out"
