#!/bin/bash
# `make measure-dbbench`: RocksDB's own db_bench, the installed one, with our library preloaded. It fills
# one database with RocksDB's Bloom filters. Copies of it get other filters from `oneline refilter`, so
# that all have the same tables, and one copy gets the same filters again: what differs between these two
# is chance. Then they take turns in lookups past the page cache, with a block cache of 8 MB. Prints
# medians, and in brackets the least and the most.
#
#   readmissing        absent keys
#   readrandom         keys of which 63 % are there
#
# Usage: db_bench.sh [RECORDS [READS [ROUNDS]]]
#   RECORDS   of 16 + 100 bytes; default 2000000
#   READS     of absent keys in each round, and an eighth of it of others; default 200000
#   ROUNDS    default 5
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
set -euo pipefail
records=${1:-2000000} reads=${2:-200000} rounds=${3:-5}
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
must_be_numbers "$records" "$reads" "$rounds"
need_programs //:liboneline_preload.so //tools:oneline
oneline=$ONELINE_PROGRAMS/tools/oneline

# RocksDB's Ribbon is asked for by the bits of a Bloom filter with as few false positives; with 14.7 it
# stores 10.
names=("RocksDB's Bloom" "the same again" "RocksDB's Ribbon" "our Ribbon, same bits" "our Ribbon")
policies=(bloomfilter:10:false bloomfilter:10:false ribbonfilter:14.7:-1 '{id=oneline;bits_by_level=false}' oneline:10)

# DATABASE FILTER BENCHMARKS ARGUMENTS...: what db_bench prints is in $work/log. Small tables and levels
# make a tree of three levels.
run() {
  cat >"$work/options.ini" <<END
[Version]
  rocksdb_version=7.8.3
  options_file_version=1.1
[DBOptions]
  use_direct_reads=true
[CFOptions "default"]
  compression=kNoCompression
  write_buffer_size=8388608
  target_file_size_base=8388608
  max_bytes_for_level_base=16777216
[TableOptions/BlockBasedTable "default"]
  filter_policy=$2
END
  LD_PRELOAD=$ONELINE_PROGRAMS/liboneline_preload.so db_bench --db="$1" --options_file="$work/options.ini" \
    --num="$records" --value_size=100 --cache_size=8388608 --statistics \
    --benchmarks="$3" "${@:4}" >"$work/log" 2>&1 || fail "$3: $(tail -n 1 "$work/log")"
}

# DATABASE POLICY: gives all its tables these filters.
refilter() {
  "$oneline" refilter "$1" --yes --filter_policy="$2" >"$work/log" 2>&1 || fail "$(tail -n 1 "$work/log")"
  "$oneline" refilter "$1" --filter_policy="$2" >"$work/log" 2>&1
  grep -q ': 0 tables to rewrite' "$work/log" || fail "$1: not all tables have the filters $2"
}

# BENCHMARK FILTER READS: appends what $work/log says to $work/runs.
record() {
  tr '\r' '\n' <"$work/log" | awk -v OFS='\t' -v what="$1" -v filter="$2" -v reads="$3" '
    index($0, what " ") == 1 { for (i = 2; i <= NF; ++i) if ($i == "ops/sec") rate = $(i - 1) }
    { count[$1] = $NF }
    END {
      useful = count["rocksdb.bloom.filter.useful"]; positive = count["rocksdb.bloom.filter.full.positive"]
      true_positive = count["rocksdb.bloom.filter.full.true.positive"]
      print what, filter, "lookups/s", rate
      print what, filter, "false positives in 1000", 1000 * (positive - true_positive) / reads
      print what, filter, "filters queried", (useful + positive) / reads
      exit !(rate && useful && (what == "readmissing") == !true_positive)
    }' >>"$work/runs" || fail "$1, $2: a number is missing, an answer is wrong, or the filters were not used"
}

begin_results "make measure-dbbench; $records records, $reads reads, $rounds rounds"
echo "fillrandom, $records records" >&2
run "$work/0" "${policies[0]}" fillrandom,flush,waitforcompaction --seed=1
for ((i = 1; i < ${#policies[@]}; ++i)); do
  cp -r "$work/0" "$work/$i"
  refilter "$work/$i" oneline:10
  refilter "$work/$i" "${policies[i]}"
done
for ((round = 0; round < rounds; ++round)); do
  for benchmark in readmissing readrandom; do
    echo "round $((round + 1)) of $rounds: $benchmark" >&2
    for ((turn = 0; turn < ${#policies[@]}; ++turn)); do
      i=$(((turn + round) % ${#policies[@]}))
      count=$reads
      [ $benchmark = readmissing ] || count=$((reads / 8))
      run "$work/$i" "${policies[i]}" $benchmark --use_existing_db --seed=$((round + 2)) --reads="$count"
      record $benchmark "${names[i]}" "$count"
    done
  done
done
add_results -v outer=0 "$work/runs"
publish
