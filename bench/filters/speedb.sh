#!/bin/bash
# Compares our filters and RocksDB's with Speedb's paired Bloom: a source tree of
# Speedb is built for this processor with our plugin, and filter_bench with it.
# Usage: speedb.sh SOURCE
#   SOURCE   Speedb's source tree, of 2.8 or so (RocksDB 8.6)
#
# Environment:
#   FIGURES=FILE   also writes the results in the form of docs/internals/figures/
set -euo pipefail
[ $# = 1 ] && [ -d "$1/plugin/speedb/paired_filter" ] || {
  echo "usage: make measure-speedb SOURCE=<Speedb's source tree, which has plugin/speedb/paired_filter>" >&2
  exit 2
}
source=$(realpath "$1")
cd "$(dirname "$0")/../.."
. bench/report/begin.sh

third_party/install.sh cmake ninja-build >&2
build=$(third_party/build_rocksdb.sh native "$source" speedb)
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
  ROCKSDB="$build" OUT="$build/bench" PROGRAMS=bench/filters/filter_bench.cc \
  LIBRARY="$(echo bench/filters/filter_candidates.cc bench/measure/peak_memory.cc)" \
  BENCHMARK=-lbenchmark CPPFLAGS='-DNDEBUG -U_GLIBCXX_ASSERTIONS' >&2
mkdir -p "$work/bench/filters"
ln -s "$build/bench/bench/filters/filter_bench" "$work/bench/filters"

bench/report/machine.sh "make measure-speedb SOURCE=..." | grep -v -e '^compiler' -e '^RocksDB' >"$work/machine.txt"
printf 'Speedb\t%s, built for this processor, without assertions, with our plugin\n' \
  "$(sed -n 's/^#define SPEEDB_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$source/speedb/version.h" | paste -sd.)" \
  >>"$work/machine.txt"
for benchmarks in '/making a key/' '/(7|10|16) bits/1024 KB/offset 0/' '^build/(7|10|16) bits/1024 KB/[^/]*$'; do
  ROWS=$work/filters.tsv ONELINE_PROGRAMS=$work \
    bench/report/run_benchmarks.sh bench/filters/filter_bench --benchmark_filter="$benchmarks"
done
# Here RocksDB's filters are as fast as the processor allows.
sed -i 's/\trocksdb_/\trocksdb_avx2_/' "$work/filters.tsv"
# As filter_rates prints them.
awk -F'\t' -v OFS='\t' '
  BEGIN { print "kind", "filter", "bits", "rate" }
  { name = $5; sub(/^oneline_[a-z]*/, "&/", name); sub("/.*", "", name) }
  $1 == "absent" && $6 == "bits/key" { bits[name, $2] = $7 }
  $1 == "absent" && $6 == "match%" && !seen[name, $2]++ { print "measured", name, bits[name, $2], $7 / 100 }
  ' "$work/filters.tsv" >"$work/rates.tsv"
report=$PWD/bench/report
(cd "$work" && awk -f "$report/digits.awk" -f "$report/figures.awk" machine.txt rates.tsv filters.tsv >results)
publish "$work/results"
