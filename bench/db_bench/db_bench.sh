#!/bin/bash
# Runs the distribution's own db_bench, unchanged, with an OPTIONS file for each
# filter and our library preloaded: fillrandom, then readmissing by turns with
# direct reads, and prints a table. Fails if tables do not
# have the intended filter: RocksDB accepts an OPTIONS file with an unknown filter
# without an error, and writes tables without one.
#
# If the environment variable ROCKSDB names a RocksDB source tree, that is built
# with the plugin, and its db_bench runs instead.
#
# ONELINE_PROGRAMS names a folder that has the programs; without it they are built.
#
# Usage: db_bench.sh [RECORDS [READS [ROUNDS]]]
#   RECORDS   of 16 + 100 bytes; default 8000000, 1 GB for each of 6 filters
#   READS     in each round; default 200000
#   ROUNDS    default 5
set -euo pipefail
records=${1:-8000000}
reads=${2:-200000}
rounds=${3:-5}
for number in "$records" "$reads" "$rounds"; do
  case $number in
    '' | *[!0-9]*)
      echo "error: '$number' is not a number; usage: db_bench.sh [RECORDS [READS [ROUNDS]]]" >&2
      exit 2
      ;;
  esac
done
cd "$(dirname "$0")/../.."
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  bazel build --noshow_progress --ui_event_filters=-info --show_result=0 \
    //:liboneline_preload.so //bench/databases:database_bench //bench/db_bench:summarize_db_bench
  ONELINE_PROGRAMS=$PWD/bazel-bin
fi
# db_bench's default. Its --cache_size always overrides that of the OPTIONS file.
cache_bytes=$((8 << 20))
library=$ONELINE_PROGRAMS/liboneline_preload.so
if [ -n "${ROCKSDB:-}" ]; then
  programs=$(bench/databases/build_with_rocksdb.sh "$ROCKSDB")
  PATH=$programs:$PATH
  library=
fi
version=$(db_bench --version 2>/dev/null | sed -n 's/.*version *\([0-9.]*\).*/\1/p')

work=$(mktemp -d "${TMPDIR:-/tmp}/oneline-db_bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() {
  echo "error: $*" >&2
  exit 1
}

# OPTION DIRECT: prints an OPTIONS file.
options_file() {
  cat <<EOF
[Version]
  rocksdb_version=$version
  options_file_version=1.1
[DBOptions]
  use_direct_reads=$2
[CFOptions "default"]
[TableOptions/BlockBasedTable "default"]
  filter_policy=$1
EOF
}

# FILTER ARGUMENTS...: runs db_bench in the database of this filter, a number.
run() {
  local i=$1
  shift
  LD_PRELOAD=$library db_bench --db="$work/$i" --num="$records" \
    --value_size=100 --cache_size=$cache_bytes "$@" >"$work/log" 2>&1 || {
    tail -n 5 "$work/log" >&2
    fail "db_bench failed with the filter '${names[$i]}'"
  }
}

# BENCHMARK: the operations per second that db_bench has printed for it.
ops_per_second() {
  sed -n "s/^$1 .* \([0-9]*\) ops\/sec.*/\1/p" "$work/log"
}

# TICKER: its count, as db_bench has printed it.
ticker() {
  sed -n "s/^rocksdb\.$1 COUNT : \([0-9]*\)/\1/p" "$work/log"
}

# FILTER: fails unless every table has a filter of the policy of the option.
check_filter() {
  local wanted found
  case ${filters[$1]} in
    nullptr) wanted= ;;
    *oneline*) wanted=oneline ;;
    *) wanted=${filters[$1]%%:*} ;;
  esac
  LD_PRELOAD=$library sst_dump --file="$work/$1" --show_properties \
    --command=none >"$work/properties" 2>&1 ||
    fail "sst_dump cannot read the tables of '${names[$1]}'"
  found=$(sed -n 's/^ *filter policy name: *//p' "$work/properties" | sort -u)
  [ "$found" = "$wanted" ] || [ "$found/$wanted" = "N/A/" ] ||
    fail "the tables of '${names[$1]}' have filters of '$found', not '$wanted'"
}

names=() filters=()
while IFS=$'\t' read -r name option; do
  names+=("$name")
  filters+=("$option")
done < <("$ONELINE_PROGRAMS/bench/databases/database_bench" --options)

# It sleeps for five seconds first. A few records fit into one table.
settle=
[ "$records" -le 10000 ] || settle=,waitforcompaction
fill=()
for i in "${!names[@]}"; do
  echo "db_bench: fillrandom, $records records, ${names[$i]} ..." >&2
  options_file "${filters[$i]}" false >"$work/options_$i.ini"
  run "$i" --options_file="$work/options_$i.ini" --seed=1 \
    --benchmarks="fillrandom,flush$settle"
  fill+=("$(ops_per_second fillrandom)")
  check_filter "$i"
  options_file "${filters[$i]}" true >"$work/options_$i.ini"
done

for ((round = 0; round < rounds; ++round)); do
  echo "db_bench: readmissing, round $((round + 1)) of $rounds ..." >&2
  for ((turn = 0; turn < ${#names[@]}; ++turn)); do
    i=$(((turn + round) % ${#names[@]}))
    # Without a filter each read searches every level, so a twentieth is enough.
    count=$reads
    [ "${filters[$i]}" != nullptr ] || count=$((reads / 20))
    run "$i" --options_file="$work/options_$i.ini" --use_existing_db=1 \
      --statistics=1 --seed=$((round + 2)) --reads="$count" \
      --benchmarks=readmissing
    found=$(sed -n 's/^readmissing .*(\([0-9]*\) of [0-9]* found).*/\1/p' "$work/log")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${names[$i]}" "${fill[$i]}" \
      "$(ops_per_second readmissing)" "$count" "$found" \
      "$(ticker bloom.filter.useful)" "$(ticker bloom.filter.full.positive)" >>"$work/runs.tsv"
  done
done
echo
echo "db_bench, $records records, $reads reads in each of $rounds rounds, direct reads, cache of 8 MB: readmissing"
"$ONELINE_PROGRAMS/bench/db_bench/summarize_db_bench" <"$work/runs.tsv"
