#!/bin/bash
# `make measure-refilter`: compares `oneline refilter` with CompactRange and its bottommost level forced, both from
# RocksDB's Bloom filters to ours: processor time, wall time and bytes written; and what lookups take beside
# oneline::Refilter. Prints medians of the rounds.
#
# Usage: refilter_bench.sh [MEGABYTES [ROUNDS]]
#   MEGABYTES   of keys and values in each database before compression; default 2000
#   ROUNDS      how often each case runs; default 3
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
#   COMPRESSIONS="..."           default "kZSTD kLZ4Compression kNoCompression"; lookups are measured with the last
#   VALUE_BYTES=N                of each value; default 400. Keys have 16
#   SECONDS_EACH=N               of lookups in each case; default 10
#   TMPDIR                       where the databases are; needs three times MEGABYTES
#
# Cold: the tables are not in the page cache. In every case each run has its own hard links of the same tables.
set -euo pipefail
megabytes=${1:-2000}
rounds=${2:-3}
value_bytes=${VALUE_BYTES:-400}
seconds=${SECONDS_EACH:-10}
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
must_be_numbers "$megabytes" "$rounds" "$value_bytes" "$seconds"
need_programs //tools:oneline //bench/refilter:refilter_bench
oneline=$ONELINE_PROGRAMS/tools/oneline
bench=$ONELINE_PROGRAMS/bench/refilter/refilter_bench
database=$work/db

# Takes the tables out of the page cache, or brings them in.
cold() {
  local table
  sync
  for table in "$database"/*.sst; do dd if="$table" iflag=nocache count=0 status=none; done
}
warm() { cat "$database"/*.sst >/dev/null; }

# FILTER JOBS COMMAND...: runs the command on cold hard links of the database, RUN, and records processor seconds, wall
# seconds and gigabytes written.
measure() {
  local name=$1 case="$compression, jobs $2"
  shift 2
  cp -al "$database" "$work/run"
  cold
  /usr/bin/time -q -f '%U %S %e %O' -o "$work/time" "${@//RUN/$work/run}" >"$work/log" 2>&1 ||
    fail "$name: $(tail -n 1 "$work/log")"
  "$oneline" refilter "$work/run" --filter_policy=oneline:10 >"$work/log"
  grep -q ': 0 tables to rewrite' "$work/log" || fail "$name: not all tables have the new filters"
  rm -r "$work/run"
  awk -v of="$case"$'\t'"$name" '{
    printf "%s\tprocessor s\t%.2f\n%s\twall s\t%.2f\n%s\tGB written\t%.3f\n", of, $1 + $2, of, $3, of, $4 / 2e6
  }' "$work/time" >>"$work/figures"
}

# FILTER [RATE]: lookups, beside Refilter if there is a RATE, of bytes per second; 0 is none.
look_up() {
  local name=$1
  shift
  cp -al "$database" "$work/run"
  warm
  "$bench" read "$work/run" "$seconds" "$@" >"$work/read" 2>"$work/log" || fail "$name: $(tail -n 1 "$work/log")"
  rm -r "$work/run"
  awk -v of="lookups, $compression"$'\t'"$name" '{
    printf "%s\tp50, us\t%s\n%s\tp99, us\t%s\n%s\tlookups/s\t%s\n", of, $1, of, $2, of, $3
  }' "$work/read" >>"$work/figures"
}

begin_results "make measure-refilter; $megabytes MB before compression, values of $value_bytes bytes, $rounds rounds, $seconds s of lookups"
for compression in ${COMPRESSIONS:-kZSTD kLZ4Compression kNoCompression}; do
  echo "making a database: $compression" >&2
  rm -rf "$database"
  "$bench" make "$database" "$compression" "$megabytes" "$value_bytes"
  for ((round = 1; round <= rounds; ++round)); do
    for jobs in 1 2; do
      measure "CompactRange kForceOptimized" "$jobs" "$bench" compact RUN "$jobs"
      measure "CompactRange, again" "$jobs" "$bench" compact RUN "$jobs"
      measure "CompactRange, 256 KiB ahead" "$jobs" "$bench" compact RUN "$jobs" 262144
      measure "refilter cold" "$jobs" "$oneline" refilter RUN --yes --jobs="$jobs" --filter_policy=oneline:10
    done
  done
done
for ((round = 1; round <= rounds; ++round)); do
  look_up "no refilter"
  look_up "Refilter, no limit" 0
  look_up "no refilter, again"
  look_up "Refilter, 20 MB/s" 20000000
done

add_results -v outer=0 "$work/figures"
publish
