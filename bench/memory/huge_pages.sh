#!/bin/bash
# `make measure-huge-pages`: lookups in filters that lie in pages of 4 KiB, and in pages of 2 MiB, which glibc's and
# jemalloc's settings ask the kernel for. The processes take turns; "again" is the first once more, so what differs
# there is chance. First the resident memory of many filters, then lookups in filters of 20 and 400 MB, and in a
# database of many small records in the page cache, as db_bench reads it. Prints medians, and in brackets the least and
# the most.
#
# Usage: huge_pages.sh [RECORDS [READS [ROUNDS]]]
#   RECORDS   of 16 + 8 bytes in the database; default 50000000, 62 MB of filters
#   READS     in each round; default 2000000
#   ROUNDS    default 5
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
#   TMPDIR                       where the database is; needs 2 GB
set -euo pipefail
records=${1:-50000000} reads=${2:-2000000} rounds=${3:-5}
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
must_be_numbers "$records" "$reads" "$rounds"
third_party/install.sh libjemalloc2
jemalloc=$(dpkg -L libjemalloc2 | grep 'libjemalloc\.so\.2$')
need_programs //bench/filters:filter_bench //bench/memory:resident_memory //:liboneline_preload.so
preload=$ONELINE_PROGRAMS/liboneline_preload.so
setting=$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || true)
case $setting in
  *'[madvise]'*) ;;
  *) fail "with transparent_hugepage/enabled = ${setting:-none} all settings are the same: it must be madvise" ;;
esac

names=("glibc" "glibc, again" "glibc, huge pages" "jemalloc" "jemalloc, huge pages")

# I LIBRARIES COMMAND...: runs it with the memory of names[I], and with these libraries preloaded.
with_memory() {
  local variables=
  case ${names[$1]} in
    "glibc, huge pages") variables=GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ;;
    "jemalloc, huge pages") variables=MALLOC_CONF=thp:always ;;
  esac
  case ${names[$1]} in
    jemalloc*) set -- "$1" "$jemalloc $2" "${@:3}" ;;
  esac
  env $variables LD_PRELOAD="$2" "${@:3}"
}

# I: a lookup in our Ribbon that waits for the one before it, and a stream of them.
filters_alone() {
  with_memory "$1" "" "$bench" --benchmark_out="$work/result.json" --benchmark_min_time=0.5 \
    --benchmark_filter="absent/10 bits/(20480|409600) KB/offset 0/$kernel\$" >"$work/log" 2>&1 ||
    fail "$(tail -n 1 "$work/log")"
  awk -f bench/report/benchmark_results.awk "$work/result.json" |
    awk -F '\t' -v OFS='\t' -v memory="${names[$1]}" '
      $(NF - 1) == "ns" {
        kilobytes = $0; sub(/ KB.*/, "", kilobytes); sub(/.*[\t\/]/, "", kilobytes)
        what = $2 == "absent" ? "lookup" : "lookup that waits for the last"
        print what ", " kilobytes / 1024 " MB", memory, "ns", $NF
      }' >>"$work/runs"
}

# I BENCHMARK: lookups in the database. Filters are in the heap, data in the page cache.
in_database() {
  with_memory "$1" "$preload" db_bench --db="$work/db" --options_file="$work/options.ini" --use_existing_db \
    --num="$records" --value_size=8 --cache_size=8388608 --reads="$reads" --statistics --benchmarks="$2" \
    >"$work/log" 2>&1 || fail "$2: $(tail -n 1 "$work/log")"
  tr '\r' '\n' <"$work/log" | awk -v OFS='\t' -v what="$2, $records records" -v memory="${names[$1]}" '
    /^rocksdb.bloom.filter.(useful|full.positive)/ { asked += $NF }
    index($0, "read") == 1 { for (i = 2; i <= NF; ++i) if ($i == "micros/op") us = $(i - 1) }
    END { print what, memory, "ns", 1000 * us; exit !(us && asked) }' >>"$work/runs" ||
    fail "$2: no time, or the filters were not used"
}

bench=$ONELINE_PROGRAMS/bench/filters/filter_bench
# The fastest that this processor has is the last of the list.
kernel=$("$bench" --benchmark_list_tests=true | grep -o 'oneline_ribbon_[a-z0-9]*' | awk '!seen[$0]++' | tail -n 1)
bench/report/machine.sh "make measure-huge-pages; $records records, $reads reads, $rounds rounds" >"$work/results"
expand -t 22 "$work/results"
cat >"$work/options.ini" <<'END'
[Version]
  rocksdb_version=7.8.3
  options_file_version=1.1
[DBOptions]
[CFOptions "default"]
  compression=kNoCompression
[TableOptions/BlockBasedTable "default"]
  filter_policy=oneline:10
END
echo "fillseq, $records records" >&2
LD_PRELOAD=$preload db_bench --db="$work/db" --options_file="$work/options.ini" --num="$records" --value_size=8 \
  --benchmarks=fillseq,flush,waitforcompaction >"$work/log" 2>&1 || fail "fillseq: $(tail -n 1 "$work/log")"
for i in "${!names[@]}"; do
  with_memory "$i" "" "$ONELINE_PROGRAMS/bench/memory/resident_memory" ribbon tables new 0 |
    awk -v OFS='\t' -v memory="${names[i]}" '
      { print "filters of 16 million keys", memory, "resident bits per key", $4 }' >>"$work/runs"
done
for ((round = 0; round < rounds; ++round)); do
  echo "round $((round + 1)) of $rounds" >&2
  for ((turn = 0; turn < ${#names[@]}; ++turn)); do
    i=$(((turn + round) % ${#names[@]}))
    filters_alone "$i"
    in_database "$i" readmissing
    in_database "$i" readrandom
  done
done
awk -f bench/report/medians.awk "$work/runs" |
  awk -v published="$work/results" -f bench/report/digits.awk -f bench/report/table.awk | expand -t 28
publish "$work/results"
