#!/bin/bash
# `make refilter-bench`: compares `oneline refilter` with CompactRange and its forced bottommost level, both from
# RocksDB's Bloom filters to ours. Prints a line for each case: processor time, wall time and bytes written; medians
# of the rounds.
#
# Usage: refilter_bench.sh [MEGABYTES [ROUNDS]]
#   MEGABYTES   of keys and values in each database before compression; default 5000
#   ROUNDS      how often each case runs; default 1
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
#   COMPRESSIONS="..."           default "kZSTD kLZ4Compression kNoCompression"
#   VALUE_BYTES=N                of each value; default 400. Keys have 20
#   TMPDIR                       where the databases are; needs four times MEGABYTES
#   REFLINKS=0                   leaves out the file system with reflinks, for which root is needed: XFS in a file
#
# Cold: the tables are not in the page cache. In every case each run has its own hard links of the same tables.
set -euo pipefail
megabytes=${1:-5000}
rounds=${2:-1}
value_bytes=${VALUE_BYTES:-400}
for number in "$megabytes" "$rounds" "$value_bytes"; do
  case $number in
    '' | 0 | *[!0-9]*)
      echo "error: '$number' is not a number; usage: refilter_bench.sh [MEGABYTES [ROUNDS]]" >&2
      exit 2
      ;;
  esac
done
cd "$(dirname "$0")/../.."
if [ -z "${ONELINE_PROGRAMS:-}" ]; then
  bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //tools:oneline //bench/refilter:refilter_bench
  ONELINE_PROGRAMS=$PWD/bazel-bin
fi
oneline=$ONELINE_PROGRAMS/tools/oneline
bench=$ONELINE_PROGRAMS/bench/refilter/refilter_bench

work=$(mktemp -d "${TMPDIR:-/tmp}/oneline-refilter-XXXXXX")
trap 'umount "$work/xfs" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() {
  echo "error: $*" >&2
  exit 1
}

# Takes the tables out of the page cache, or brings them in.
cold() {
  local table
  sync
  for table in "$1"/*.sst; do dd if="$table" iflag=nocache count=0 status=none; done
}
warm() { cat "$1"/*.sst >/dev/null; }

# CASE CACHE DATABASE COMMAND...: runs the command on hard links of the database, RUN, and records processor seconds,
# wall seconds and megabytes written.
measure() {
  local name=$1 cache=$2 database=$3
  shift 3
  cp -al "$database" "$database.run"
  "$cache" "$database"
  /usr/bin/time -q -f '%U %S %e %O' -o "$work/time" "${@//RUN/$database.run}" >"$work/log" 2>&1 ||
    fail "$name: $(tail -n 1 "$work/log")"
  "$oneline" refilter "$database.run" --filter_policy=oneline:10 >"$work/log"
  grep -q ': 0 tables to rewrite' "$work/log" || fail "$name: not all tables have the new filters"
  rm -r "$database.run"
  awk -v name="$name" '{ printf "%s\t%.2f\t%.2f\t%.0f\n", name, $1 + $2, $3, $4 / 2e3 }' "$work/time" >>"$work/figures"
}

# DATABASE: prints the medians of $work/figures; the ratio is that of processor time to the last CompactRange above it.
print_table() {
  awk -F '\t' -v database="$1" -v results="$work/results" '
    function median(name, column,    n, i, j, value, values) {
      n = count[name]
      for (i = 1; i <= n; ++i) {
        value = figure[name, i, column]
        for (j = i - 1; j >= 1 && values[j] > value; --j) values[j + 1] = values[j]
        values[j + 1] = value
      }
      return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
    }
    !($1 in count) { names[++cases] = $1 }
    {
      n = ++count[$1]
      for (column = 2; column <= 4; ++column) figure[$1, n, column] = $column
    }
    END {
      printf "%-40s%10s%10s%14s%14s\n", "", "CPU, s", "wall, s", "written, MB", "of its CPU"
      for (i = 1; i <= cases; ++i) {
        cpu = median(names[i], 2)
        compaction = names[i] ~ /^CompactRange/
        if (compaction) base = cpu
        printf "%-40s%10.1f%10.1f%14.0f%14s\n", names[i], cpu, median(names[i], 3), median(names[i], 4),
          compaction || base == 0 ? "" : sprintf("1/%.1f", base / cpu)
        split(names[i], part, ", ")
        of = database ", " part[2] "\t" part[1]
        printf "%s\tprocessor s\t%.1f\t\t\n", of, cpu >>results
        printf "%s\twall s\t%.1f\t\t\n", of, median(names[i], 3) >>results
        printf "%s\tGB written\t%.2f\t\t\n", of, median(names[i], 4) / 1e3 >>results
      }
    }' "$work/figures"
  rm "$work/figures"
}

# FOLDER COMPRESSION LEVELS
compare() {
  local database=$1/db round jobs how cache
  echo "making a database: $2, levels: $3" >&2
  "$bench" make "$database" "$2" "$3" $((megabytes * 1000000)) "$value_bytes"
  for ((round = 1; round <= rounds; ++round)); do
    for jobs in 1 2; do
      # With one level the two are the same.
      for how in $([ "$3" = 1 ] || echo kForce) kForceOptimized; do
        measure "CompactRange $how, jobs $jobs" cold "$database" "$bench" compact RUN "$jobs" "$how"
      done
      for cache in cold warm; do
        measure "refilter $cache, jobs $jobs" $cache "$database" "$oneline" refilter RUN --yes --jobs="$jobs" \
          --filter_policy=oneline:10
      done
    done
  done
  echo
  echo "$2, levels: $3, $(du -cm "$database"/*.sst | awk 'END { printf "%d MiB in %d tables", $1, NR - 1 }')${4:-}"
  print_table "$2, levels: $3${4:-}"
  rm -r "$database"
}

bench/report/machine.sh "make refilter-bench; $megabytes MB before compression, values of $value_bytes bytes, $rounds rounds" >"$work/results"
expand -t 22 "$work/results"
for compression in ${COMPRESSIONS:-kZSTD kLZ4Compression kNoCompression}; do
  for levels in 1 3; do compare "$work" "$compression" "$levels"; done
done

if [ "${REFLINKS:-1}" = 1 ]; then
  if [ "$(id -u)" = 0 ] && command -v mkfs.xfs >/dev/null; then
    truncate -s $((3 * megabytes + 1000))M "$work/disk"
    mkfs.xfs -q -m reflink=1 "$work/disk"
    mkdir "$work/xfs"
    mount -o loop "$work/disk" "$work/xfs"
    compare "$work/xfs" kZSTD 1 ', on XFS with reflinks'
  else
    echo "no file system with reflinks: needs root and mkfs.xfs" >&2
  fi
fi
[ -z "${FIGURES:-}" ] || cp "$work/results" "$FIGURES"
