#!/bin/sh
# Stresses databases with our policy: RocksDB's db_crashtest.py runs db_stress
# with random options, kills it (kill -9 after some seconds, and inside of
# RocksDB's functions), lets reads and writes fail, and looks every key up when
# it opens the database again. Each run has the next policy of
# db_stress_in_rotation.sh; stressed_database.cc sets their options meanwhile.
# Ends with the line `N runs, N operations, N wrong`.
#
# Usage: stress.sh [MINUTES [SOURCE]]
#
#   MINUTES  30
#   SOURCE   RocksDB's source tree; else that of the installed version, which the
#            distribution has. It is built with our plugin: half an hour the first
#            time.
set -eu
cd "$(dirname "$0")/../.."
minutes=${1:-30}
case $minutes in
  0 | *[!0-9]*)
    echo "usage: make check-stress [MINUTES=30] [SOURCE=<RocksDB's source tree>]" >&2
    exit 2
    ;;
esac
third_party/install.sh cmake ninja-build python3
source=${2:-$(third_party/rocksdb_source.sh)}
crash_test_py=$source/tools/db_crashtest.py
[ -f "$crash_test_py" ] || {
  echo "error: SOURCE=$source: must be a source tree of RocksDB, with" \
    "tools/db_crashtest.py" >&2
  exit 1
}
echo "building db_stress with the plugin" >&2
out=$(third_party/build_rocksdb.sh tests "$source" db_stress)

scratch=$(mktemp -d)
export TEST_TMPDIR="$scratch" STRESS_RUNS="$scratch/runs" \
  STRESS_DB_STRESS="$out/build/db_stress_tool/db_stress"
mkdir "$STRESS_RUNS"
kept=
trap '[ -n "$kept" ] || rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Adds up what RocksDB's LOGs say of all runs, of which those count that had
# verified the database and begun to write: prints the words of the last line
# and makes the file of the first argument if something was not done at all.
summary() {
  for run in "$STRESS_RUNS"/*; do
    # Some are killed before they have a LOG.
    find "$run" -name '*LOG*' -exec cat "$run/command" {} + | awk '
      /^ONELINE_(STRESS_POLICY|REPLACE_BUILTIN)=/ { ours = 1 }
      / COUNT : / && $4 > count[$1] { count[$1] = $4 }
      /"filter_policy": "oneline"/ { tables++ }
      / table_factory\.filter_policy\./ { set_options++ }
      END {
        written = count["rocksdb.number.keys.written"]
        print (written > 0), written + count["rocksdb.number.keys.read"] +
          count["rocksdb.number.multiget.keys.read"] + count["rocksdb.number.db.seek"],
          tables + 0, ours * count["rocksdb.bloom.filter.useful"], set_options + 0
      }'
  done | awk -v unused="$1" '
    { for (i = 1; i <= 5; i++) sum[i] += $i }
    END {
      printf "%d tables with our filters, which answered %d lookups; %d changes by SetOptions\n",
        sum[3], sum[4], sum[5]
      printf "%d runs, %d operations", sum[1], sum[2]
      if (sum[2] * sum[3] * sum[4] * sum[5] == 0) print "yes" >unused
    }'
}

# Many small tables in all levels, and so few keys that a run can look all up.
common="--max_key=20000 --test_batches_snapshots=0 --compact_files_one_in=500 --write_buffer_size=262144
  --target_file_size_base=131072 --max_bytes_for_level_base=524288
  --verify_iterator_with_expected_state_one_in=5"
# RocksDB 10 has managers that choose among the libraries for compression, and
# crash if there are none.
managers=$(grep -q '"compression_manager"' "$crash_test_py" && echo --compression_manager=none || true)
round() {
  echo "db_crashtest.py $1, $2 s" >&2
  type=$1 seconds_each=$2
  shift 2
  # Of two options of the same name db_crashtest.py takes the later. This RocksDB
  # may lack the libraries for compression.
  # shellcheck disable=SC2086  # options are several words
  python3 "$crash_test_py" "$type" --duration="$seconds_each" $common "$@" \
    --stress_cmd="$PWD/tests/rocksdb/db_stress_in_rotation.sh" \
    --compression_type=none --bottommost_compression_type=none \
    --blob_compression_type=none $managers >"$scratch/log" 2>&1 && return
  kept=$scratch
  tail -n 50 "$scratch/log" >&2
  echo "error: wrong, or ended unexpectedly: $kept has the database, the log" \
    "and the runs' commands" >&2
}
rounds=$(((minutes + 9) / 10))
seconds=$((minutes * 60 / rounds))
while [ "$rounds" != 0 ] && [ -z "$kept" ]; do
  rounds=$((rounds - 1))
  round blackbox $((seconds * 2 / 3)) --interval=20
  [ -n "$kept" ] || round whitebox $((seconds / 3)) --ops_per_thread=10000 \
    --random_kill_odd=88887
done
words=$(summary "$scratch/unused")
echo "$words, $([ -n "$kept" ] && echo 1 || echo 0) wrong"
[ -z "$kept" ] || exit 1
[ ! -e "$scratch/unused" ] || {
  echo "error: what is 0 above was not tested" >&2
  exit 1
}
