#!/bin/bash
# Runs a Kvrocks cluster of three nodes, with RocksDB's Bloom filters and then with
# ours in their place: loads it; gives one node a replica, which copies its tables;
# moves slots from node to node while keys are written and read; kills a node that
# sends a slot, and then receives one; and compares every answer with what it must
# be. At last one node of the cluster with Bloom filters is started with
# ours and compacted, and slots move again. All that is measured are counts.
# Usage: kvrocks_cluster.sh KVROCKS [LIBRARY]
#
#   KVROCKS  the program, in which the environment variable ONELINE_REPLACE_BUILTIN replaces
#            filters: linked with --wrap (docs/installing.md), or with LIBRARY
#   LIBRARY  liboneline_preload.so, which is preloaded into it
#
# Environment:
#   KEYS=1000000      strings that are written, a third of them while slots move; as
#                     many absent ones are looked up
#   SLOTS=50          of the 250 in use, that move
#   PORT=7890         on 127.0.0.1: nodes and replica have the next four
#   ONELINE=PROGRAM   `oneline`, linked to a RocksDB that is not older than the server's. By
#                     default that of the installed RocksDB
#   FIGURES=FILE      also writes the counts in the form of docs/internals/figures/
#
# Needs redis-tools.
set -euo pipefail
[ $# -ge 1 ] && [ -x "$1" ] || {
  echo "usage: kvrocks_cluster.sh KVROCKS [LIBRARY]" >&2
  exit 2
}
kvrocks=$(realpath "$1")
library=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
keys=${KEYS:-1000000} slots=${SLOTS:-50} port=${PORT:-7890}
must_be_numbers "$keys" "$slots" "$port"
need_programs //tools:oneline
oneline=${ONELINE:-$ONELINE_PROGRAMS/tools/oneline}
tags=250 per_tag=$((keys / 250))

declare -A server  # the process of each running node
replaced=()        # for each node: 1 with our filters
cleanup() {
  kill -9 $(jobs -p) 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap cleanup EXIT

# redis NODE COMMAND...
redis() { redis-cli -p $((port + $1)) "${@:2}" 2>&1 | tr -d '\r'; }
id() { printf '%040d' "$1"; }
count() { printf '%s\t%s\tcount\t%s\t\t\n' "$1" "$column" "$2" | tee -a "$work/counts"; }

# wait_for TEXT COMMAND...: until the command prints the text.
wait_for() {
  local tries=0
  until "${@:2}" 2>/dev/null | grep -q "$1"; do
    tries=$((tries + 1))
    [ $tries -lt 3000 ] || fail "no \"$1\" from: ${*:2}"
    sleep 0.05
  done
}

# start_node NODE: in $folder/NODE. Tables are small, so that there are as many levels as
# in a large database. Write-ahead logs are deleted soon: a new replica must copy tables.
start_node() {
  local database=$folder/$1
  mkdir -p "$database"
  cat >"$database.conf" <<END
bind 127.0.0.1
port $((port + $1))
dir $database
log-dir $database
log-level warning
cluster-enabled yes
migrate-speed 16384
rocksdb.write_buffer_size 4
rocksdb.target_file_size_base 4
rocksdb.max_bytes_for_level_base 8388608
rocksdb.max_bytes_for_level_multiplier 6
rocksdb.wal_ttl_seconds 20
rocksdb.wal_size_limit_mb 0
END
  LD_PRELOAD=$library ONELINE_REPLACE_BUILTIN=${replaced[$1]} "$kvrocks" -c "$database.conf" >"$database.log" 2>&1 &
  server[$1]=$!
  until [ "$(redis "$1" ping)" = PONG ]; do
    kill -0 "${server[$1]}" || fail "$(<"$database.log")"
    sleep 0.05
  done
  local name=bloomfilter
  [ "${replaced[$1]}" = 0 ] || name=oneline
  [ "$(sed -n 's/.*[^_]filter_policy: *//p' "$database/db/LOG" | sort -u)" = $name ] ||
    fail "node $1 does not use the filters \"$name\": the environment does not replace them, see docs/installing.md"
}

# stop_node NODE [SIGNAL]
stop_node() {
  kill "${2:--TERM}" "${server[$1]}"
  wait "${server[$1]}" 2>/dev/null || true
  unset "server[$1]"
}

# The file $work/tags has lines of a tag in braces in keys, its slot, and its node.
tags_of() { awk -v node="$1" '$3 == node' "$work/tags"; }

# set_nodes VERSION [REPLICA]: tells the nodes who has which slots.
set_nodes() {
  local node nodes=
  for node in 1 2 3; do
    nodes+="$(id $node) 127.0.0.1 $((port + node)) master - $(tags_of $node | cut -d ' ' -f 2 | xargs)"$'\n'
  done
  [ $# = 1 ] || nodes+="$(id 4) 127.0.0.1 $((port + 4)) slave $(id 1)"$'\n'
  version=$1
  for node in "${!server[@]}"; do
    redis "$node" clusterx setnodeid "$(id "$node")" >"$work/answer"
    [ "$(redis "$node" clusterx setnodes "${nodes%$'\n'}" "$version")" = OK ] || fail "node $node refuses its slots"
  done
}

# make_keys FIRST END TOGETHER PARITY: the keys FIRST to END - 1 of each tag, so many of a tag
# together: lines of a name and its value. Even ones are written; odd ones lie between them,
# so that only a filter can tell.
make_keys() {
  awk -v first="$1" -v end="$2" -v together="$3" -v parity="$4" '
    { tag[NR] = $1 }
    END {
      for (begin = first; begin < end; begin += together)
        for (t = 1; t <= NR; ++t)
          for (i = begin; i < begin + together && i < end; ++i) {
            name = sprintf("{%s}%09d", tag[t], 2 * i + parity)
            print name, name ":" name ":" name ":" name ":" name
          }
    }' "$work/tags"
}

# make_batches set|get NAME: of keys the files that send_batches reads.
make_batches() {
  mkdir -p "$work/$2"
  awk -v command="$1" -v prefix="$work/$2/" '
    NR % 200 == 1 { close(file ".answers"); close(file); file = sprintf("%s%09d", prefix, NR) }
    { print command, (command == "set" ? $0 : $1) >file
      print command == "set" ? "OK" : $2 >(file ".answers") }'
}

# ask ARGUMENTS...: sends commands from the input, with redirections.
ask() { redis-cli -c "$@" 2>&1 | sed '/^-> Redirected/d'; }

# send_batches NAME: what is not answered, because a slot is about to move or a node is
# dead, is sent again.
send_batches() {
  local file answers
  for file in "$work/$1"/?????????; do
    until answers=$(ask -p $((port + 1 + RANDOM % 3)) <"$file") && [ "$answers" = "$(<"$file.answers")" ]; do
      grep -qE 'MOVED|TRYAGAIN|CLUSTERDOWN|LOADING|onnect' <<<"$answers" || {
        diff <(echo "$answers") "$file.answers" | head -n 20 >&2
        fail "wrong answers to $file"
      }
      sleep 0.05
    done
    echo "$file" >>"$work/$1.sent"
  done
}

migration() { redis "$1" cluster info; }

# start_move SLOT FROM TO
start_move() {
  local answer
  answer=$(redis "$2" clusterx migrate "$1" "$(id "$3")")
  [ "$answer" = OK ] || fail "node $2 does not move slot $1: $answer"
}

# move_slot TAG SLOT FROM TO
move_slot() {
  local node
  start_move "$2" "$3" "$4"
  wait_for 'migrating_state: success' migration "$3"
  version=$((version + 1))
  for node in "$4" "$3" $((6 - $3 - $4)) 4; do
    [ "$(redis "$node" clusterx setslot "$2" node "$(id "$4")" $version)" = OK ] ||
      fail "node $node refuses the new place of slot $2"
  done
  sed -i "s/^$1 .*/$1 $2 $4/" "$work/tags"
  moved=$((moved + 1))
}

# kill_while_moving TAG SLOT FROM TO: kills node 1, and moves the slot after its restart.
kill_while_moving() {
  redis "$3" config set migrate-speed $((per_tag / 4)) >"$work/answer"
  start_move "$2" "$3" "$4"
  wait_for 'migrating_state: start' migration "$3"
  sleep 0.2
  stop_node 1 -KILL
  [ "$3" = 1 ] || wait_for 'migrating_state: fail' migration "$3"
  start_node 1
  move_slot "$@"
}

move_slots() {
  local tag slot from
  rm -f "$work/stop" "$work"/*.sent
  moved=0
  until [ -e "$work/stop" ]; do send_batches written; done &
  local writing=$!
  until [ -e "$work/stop" ]; do send_batches loaded; done &
  local reading=$!
  while read -r tag slot from; do
    move_slot "$tag" "$slot" "$from" $((from % 3 + 1))
  done < <(head -n "$slots" "$work/tags")
  kill_while_moving $(tags_of 1 | tail -n 1) 2
  kill_while_moving $(tags_of 2 | tail -n 1) 1
  touch "$work/stop"
  wait $writing && wait $reading || fail "wrong answers while slots moved"
  count "slots moved" $moved
  count "commands meanwhile" $(($(cat "$work"/*.sent | wc -l) * 200))
}

# Waits until nothing was flushed or compacted for a second.
settle() {
  local node idle=0
  while [ $idle -lt 5 ]; do
    sleep 0.2
    idle=$((idle + 1))
    for node in "${!server[@]}"; do
      redis "$node" info rocksdb
    done | awk -F: '
      /^(num_running_flushes|memtable_flush_pending|compaction_pending|num_running_compactions):/ { n += $2 }
      END { exit n > 0 }' || idle=0
  done
}

# compare FILE COMMAND...: the keys' values in the file, and those that the command gets.
compare() {
  awk '{ print "get", $1 }' "$1" | "${@:2}" >"$work/answers"
  cmp <(awk '{ print $2 }' "$1") "$work/answers" >&2 || fail "keys are lost or wrong values"
}

# For each node: how many filters matched absent keys, and were asked for them.
filters_asked() {
  local node
  for node in 1 2 3; do
    redis $node stats | tr , '\n' | awk -F '[":]+' -v node=$node '
      { ticker[$2] = $3 }
      END {
        false = ticker["rocksdb.bloom.filter.full.positive"] - ticker["rocksdb.bloom.filter.full.true.positive"]
        print node, false, false + ticker["rocksdb.bloom.filter.useful"]
      }'
  done
}

# Reads all keys, and as many that are absent.
read_cluster() {
  local name number
  settle
  compare "$work/present" ask -p $((port + 2))
  count "keys there, with the right value" "$(wc -l <"$work/present")"
  filters_asked >"$work/before"
  compare "$work/absent" ask -p $((port + 2))
  filters_asked | paste "$work/before" - | awk -v keys="$(wc -l <"$work/absent")" -v OFS='\t' '
    { false[$1] = $5 - $2; asked[$1] = $6 - $3 }
    END {
      print "lookups of absent keys", keys
      print "filters queried", asked[1] + asked[2] + asked[3]
      print "false positives", false[1] + false[2] + false[3]
      print "false positives, node 1", false[1]
      print "filters queried, node 1", asked[1]
    }' | while IFS=$'\t' read -r name number; do count "$name" "$number"; done
}

# Reads node 1's keys from its replica, without redirections.
read_replica() {
  local offset
  offset=$(redis 1 info replication | sed -n 's/^master_repl_offset://p')
  wait_for "slave_repl_offset:$offset\$" redis 4 info replication
  grep -F "$(tags_of 1 | sed 's/ .*//; s/.*/{&}/')" "$work/present" >"$work/of_node_1"
  compare "$work/of_node_1" redis-cli -p $((port + 4))
  count "keys of the replica" "$(wc -l <"$work/of_node_1")"
}

# Stops all nodes, and examines their databases.
examine() {
  local node faulty=0
  for node in 1 2 3 4; do
    stop_node $node
    echo
    ONELINE_REPLACE_BUILTIN=${replaced[$node]} "$oneline" doctor "$folder/$node/db" || faulty=$((faulty + 1))
  done
  echo
  count "databases with faults, by doctor" $faulty
}

try_cluster() {
  move_slots
  read_cluster
  read_replica
  examine
}

begin_results "bench/engines/kvrocks_cluster.sh KVROCKS${library:+ LIBRARY}"
sed -i -e '/^compiler/d' -e '/^RocksDB/d' "$work/results"
printf 'Kvrocks\t%s\n' "$("$kvrocks" --version)" >>"$work/results"
for column in Bloom oneline; do
  folder=$work/$column
  case $column in
    Bloom) replaced=(0 0 0 0 0) ;;
    oneline) replaced=(1 1 1 1 1) ;;
  esac
  for node in 1 2 3; do start_node $node; done
  # Tags with slots of their own, of which each node has a third.
  seq 10 $((tags + 99)) | sed 's/.*/cluster keyslot {t&}/' | redis-cli -p $((port + 1)) |
    awk '!seen[$1]++ { print "t" NR + 9, $1, 1 + int($1 * 3 / 16384) }' | head -n $tags >"$work/tags"
  if [ $column = Bloom ]; then
    later=$((per_tag * 2 / 3))
    make_keys 0 $later 20 0 | make_batches set new
    make_keys 0 $later 20 0 | make_batches get loaded
    make_keys $later "$per_tag" 20 0 | make_batches set written
    make_keys 0 "$per_tag" "$per_tag" 0 >"$work/present"
    make_keys 0 "$per_tag" "$per_tag" 1 | sed 's/ .*/ /' >"$work/absent"
  fi
  set_nodes 1
  send_batches new
  start_node 4
  set_nodes 2 with_replica
  wait_for master_link_status:up redis 4 info replication
  count "full synchronisations" "$(redis 1 info stats | sed -n 's/^sync_full://p')"
  try_cluster
  [ $column = Bloom ] || continue

  column="Bloom, node 1 refiltered"
  replaced[1]=1
  for node in 1 2 3 4; do start_node $node; done
  [ "$(redis 1 compact)" = OK ] || fail "node 1 does not compact"
  settle
  try_cluster
done
cat "$work/counts" >>"$work/results"
publish
