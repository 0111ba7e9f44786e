#!/bin/bash
# Measures a Kvrocks server whose RocksDB has our plugin: the same commands with
# RocksDB's Bloom filter and with ours in its place, every answer compared with
# what it must be. The server is started anew before each pass. What is read are
# the same tables: one database was loaded; of its two copies one was refiltered,
# and the other, "again", was refiltered there and back and shows what chance
# does. They take turns in the order A B C C B A.
# Usage: kvrocks.sh KVROCKS
#
#   KVROCKS  the program, in which the environment variable
#            ONELINE_REPLACE_BUILTIN replaces filters: linked with --wrap
#            (docs/installing.md), or a script that preloads the library and runs it
#
# Environment:
#   KEYS=1000000        strings; half as many fields of hashes, and of sorted sets
#   OPERATIONS=300000   in each workload that reads
#   ROUNDS=1            of these six passes
#   OURS=1              ONELINE_REPLACE_BUILTIN of the server with our filters
#   PORT=7880           on 127.0.0.1
#   REFILTER=PROGRAM    bench/refilter/refilter_bench, linked to a RocksDB that is
#                       not older than the server's. By default that of the
#                       installed RocksDB
#   FIGURES=FILE        also writes the medians in the form of docs/internals/figures/
#
# Needs rocksdb-tools, and a gigabyte in ${TMPDIR:-/tmp} with a million keys. The
# tree has as many levels as a large one: its tables are small.
#
# Caches, which have filters and indexes, too: in "memory" the block cache has room
# for all, and tables are in the page cache; in "disk" it has 16 MB, and tables are kept out of the page cache.
set -euo pipefail
[ $# = 1 ] && [ -x "$1" ] || {
  echo "usage: kvrocks.sh KVROCKS" >&2
  exit 2
}
kvrocks=$(realpath "$1")
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
keys=${KEYS:-1000000} operations=${OPERATIONS:-300000} rounds=${ROUNDS:-1}
ours=${OURS:-1} port=${PORT:-7880}
need_programs //bench/engines:redis_load //bench/refilter:refilter_bench
load=$ONELINE_PROGRAMS/bench/engines/redis_load
refilter=${REFILTER:-$ONELINE_PROGRAMS/bench/refilter/refilter_bench}

server=
stop_server() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}
trap 'stop_server; rm -rf "$work"' EXIT

call() { "$load" "$port" call "$@"; }
now() { date +%s.%N; }
cpu() {
  awk -v ticks="$(getconf CLK_TCK)" '{print ($14 + $15) / ticks}' \
    "/proc/$server/stat"
}
# since WALL CPU: the seconds since then, and those of the server's processors.
since() {
  echo "$(now) $1 $(cpu) $2" | awk '{printf "%.1f\t%.1f", $1 - $2, $3 - $4}'
}

# start_server DATABASE POLICY CACHE_MB: POLICY is bloom, again or oneline.
start_server() {
  case $2 in
    oneline) replace=$ours name=oneline ;;
    *) replace=0 name=bloomfilter ;;
  esac
  mkdir -p "$1"
  cat >"$1.conf" <<END
bind 127.0.0.1
port $port
dir $1
log-dir $1
rocksdb.metadata_block_cache_size $(($3 / 2))
rocksdb.subkey_block_cache_size $(($3 / 2))
rocksdb.cache_index_and_filter_blocks yes
rocksdb.write_buffer_size 4
rocksdb.target_file_size_base 4
rocksdb.max_bytes_for_level_base 8388608
rocksdb.max_bytes_for_level_multiplier 6
END
  begin=$(now)
  ONELINE_REPLACE_BUILTIN=$replace "$kvrocks" -c "$1.conf" >"$1.log" 2>&1 &
  server=$!
  tries=0
  until call PING >"$work/answer" 2>&1; do
    tries=$((tries + 1))
    if [ $tries -gt 600 ] || ! kill -0 "$server" 2>/dev/null; then
      cat "$1.log" "$work/answer" >&2
      exit 1
    fi
    sleep 0.05
  done
  started=$(echo "$(now) $begin" | awk '{printf "%.2f", $1 - $2}')
  # The name of the policy in use, which a linker without --wrap leaves as it was.
  names=$(sed -n 's/.*[^_]filter_policy: *//p' "$1/db/LOG" | sort -u)
  [ "$names" = $name ] || {
    echo "error: $kvrocks uses the filters \"$names\" instead of $name: the" \
      "environment does not replace them, see docs/installing.md" >&2
    exit 1
  }
}

# Waits until nothing was flushed or compacted for a second.
settle() {
  idle=0
  while [ $idle -lt 5 ]; do
    sleep 0.2
    idle=$((idle + 1))
    busy=$(call INFO rocksdb | tr -d '\r' | awk -F: '
      /^(num_running_flushes|memtable_flush_pending|compaction_pending|num_running_compactions):/ { n += $2 }
      END { print n + 0 }')
    [ "$busy" = 0 ] || idle=0
  done
}

# ticker NAME: of RocksDB, since the server started.
ticker() {
  call STATS | sed 's/.*"rocksdb\.'"$1"'": *\([0-9]*\).*/\1/'
}

# load_database DATABASE POLICY: prints seconds and seconds of processors of
# loading, and of loading with all compactions that follow.
load_database() {
  rm -rf "$1"
  start_server "$1" "$2" 4096
  begin=$(now) begin_cpu=$(cpu)
  "$load" "$port" load-strings "$keys" 1 >"$work/rate"
  "$load" "$port" load-hashes $((keys / 2)) 1 >>"$work/rate"
  "$load" "$port" load-sets $((keys / 2)) 1 >>"$work/rate"
  loaded=$(since "$begin" "$begin_cpu")
  settle
  printf 'load\t%s\t%s\nsettle\t%s\t%s\n' "$2" "$loaded" "$2" \
    "$(since "$begin" "$begin_cpu")" | tee -a "$work/results"
  stop_server
}

# copy FROM TO
copy() {
  rm -rf "$2/db"
  mkdir -p "$2"
  cp -r "$1/db" "$2/db"
}

# refilter DATABASE POLICY: gives it these filters.
refilter() {
  "$refilter" refilter "$1/db" "$2" \
    >"$work/refilter" 2>&1 || {
    tail -n 3 "$work/refilter" >&2
    exit 1
  }
}

# filters DATABASE POLICY: what the properties of its tables say.
filters() {
  sst_dump --file="$1/db" --show_properties --command=none 2>/dev/null |
    awk -F': *' -v policy="$2" '
      /# entries/ { entries = $2 }
      /filter block size/ { size = $2; if (size) { keys += entries; bytes += size } }
      /filter policy name/ { names[$2] += size > 0 }
      END {
        printf "filters\t%s\t%.2f MB\t%.2f bits/key", policy, bytes / 1e6, 8 * bytes / keys
        for (name in names) if (names[name]) printf "\t%d tables with %s", names[name], name
        print ""
      }' | tee -a "$work/results"
}

# read_database DATABASE POLICY memory|disk
read_database() {
  case $3 in
    memory)
      evict= cache=4096
      cat "$1"/db/*.sst >/dev/null
      ;;
    disk) evict=$1/db cache=16 ;;
  esac
  start_server "$1" "$2" $cache
  printf 'start\t%s\t%s\t%s\n' "$2" "$3" "$started" |
    tee -a "$work/results"
  for workload in get-absent get-present hget-absent hget-present \
    zscore-absent zscore-present; do
    items=$((keys / 2))
    case $workload in get-*) items=$keys ;; esac
    # Reads into the cache what it has room for.
    "$load" "$port" $workload $items $((operations / 2)) >"$work/rate"
    positive=$(ticker bloom.filter.full.positive)
    true_positive=$(ticker bloom.filter.full.true.positive)
    useful=$(ticker bloom.filter.useful)
    begin_cpu=$(cpu)
    rate=$("$load" "$port" $workload $items "$operations" $evict)
    used=$(echo "$(cpu) $begin_cpu" | awk '{printf "%.2f", $1 - $2}')
    positive=$(($(ticker bloom.filter.full.positive) - positive))
    true_positive=$(($(ticker bloom.filter.full.true.positive) - true_positive))
    useful=$(($(ticker bloom.filter.useful) - useful))
    printf 'read\t%s\t%s\t%s\t%s\t%s\t%s\n' "$2" "$3" "$rate" "$used" \
      $((positive - true_positive)) $useful | tee -a "$work/results"
  done
  stop_server
}

# Not the installed RocksDB and its compiler: the server has its own.
bench/report/machine.sh "KEYS=$keys OPERATIONS=$operations ROUNDS=$rounds bench/engines/kvrocks.sh KVROCKS" |
  grep -v -e '^compiler' -e '^RocksDB' >"$work/figures"
printf 'Kvrocks\t%s\n' "$("$kvrocks" --version)" >>"$work/figures"
load_database "$work/bloom" bloom
load_database "$work/oneline" oneline
copy "$work/bloom" "$work/oneline"
refilter "$work/oneline" '{id=oneline;bits_per_key=10;bits_by_level=false}'
copy "$work/oneline" "$work/again"
refilter "$work/again" bloomfilter:10:false
filters "$work/bloom" bloom
filters "$work/oneline" oneline
while [ "$rounds" -gt 0 ]; do
  rounds=$((rounds - 1))
  for policy in bloom again oneline oneline again bloom; do
    read_database "$work/$policy" $policy memory
    read_database "$work/$policy" $policy disk
  done
done

echo
echo "Medians, and in brackets the least and the most. Processor seconds are the server's. All answers were right."
awk -F '\t' -v OFS='\t' '
  BEGIN {
    of["load"] = of["settle"] = "seconds,processor seconds"
    of["start"] = "seconds"
    of["read"] = "operations/s,p50 ms,p99 ms,p99.9 ms,processor seconds,false positives,filtered"
  }
  {
    n = split(of[$1], quantity, ",")
    what = $1 == "start" ? $1 " " $3 : $1 == "read" ? $4 " " $3 : $1
    for (i = 1; i <= n; ++i) print what, $2, quantity[i], $(NF - n + i)
  }' "$work/results" | awk -f bench/report/medians.awk |
  awk -v published="$work/figures" -f bench/report/digits.awk -f bench/report/table.awk
publish "$work/figures"
