#!/bin/bash
# Measures RocksJava as Kafka Streams and URLFrontier use it: a process does the
# same work with their default, BloomFilter; with that again, which shows what
# chance does; with OnelineFilter("oneline:10"); and with BloomFilter replaced by
# ONELINE_REPLACE_BUILTIN=1. They take turns in the order A B C D D C B A, and so
# on. Every answer is compared with what it must be, and every table must have a
# filter of the policy. Prints medians, the least and the greatest, and of
# operations/s the ratio to BloomFilter in the same pass: that of "again" is what
# chance does. Neither engine is needed.
# Usage: rocksjava.sh SOURCE
#
#   SOURCE  a RocksDB source tree, of 7.8 or later. RocksJava is built from it
#           with the plugin, half an hour of two processors the first time.
#
# Environment:
#   KEYS=1500000        in each store when reading begins
#   OPERATIONS=200000   measured in each workload, after a quarter more
#   ROUNDS=2            passes of each policy
#   FIGURES=FILE        also writes the medians in the form of docs/internals/figures/
#
# Needs Debian, and a gigabyte in ${TMPDIR:-/tmp} for each million of keys, on a
# file system that has direct reads.
#
# Workloads. In "memory" tables are read through the page cache, in "disk" past it.
#
#   aggregation     of Kafka Streams: gets a key, which is new in 30 % of the
#                   records, and puts it: 166 bytes with the value
#   deduplication   gets a key, which is new in 99 %, and puts it if it is
#   frontier        of URLFrontier: gets a discovered URL, which is new in two of
#                   three, and puts a new one into three column families. The
#                   crawler's reading of queues, which no filter serves, is left out
set -euo pipefail
[ $# = 1 ] && [ -d "$1" ] || {
  echo "usage: rocksjava.sh SOURCE" >&2
  exit 2
}
source=$(realpath "$1")
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
keys=${KEYS:-1500000} operations=${OPERATIONS:-200000} rounds=${ROUNDS:-2}
must_be_numbers "$keys" "$operations" "$rounds"

echo "building RocksJava with the plugin" >&2
out=$(third_party/build_rocksdb.sh java "$source" rocksdbjavastatic)
jar=$(echo "$out"/tree/java/target/*.jar)
# RocksJava is not the installed RocksDB, and has a compiler's flags of its own.
begin_results "KEYS=$keys OPERATIONS=$operations ROUNDS=$rounds bench/engines/rocksjava.sh SOURCE"
sed -i -e '/^compiler/d' -e '/^RocksDB/d' "$work/results"
printf 'RocksJava\t%s\n' "$(basename "$jar" | sed 's/[^0-9]*\([0-9.]*[0-9]\).*/\1/')" >>"$work/results"
javac -nowarn -d "$work/classes" -cp "$jar" \
  filter_policy/java/OnelineFilter.java bench/engines/rocksjava/*.java

# run POLICY: one pass, which begins with empty stores.
run() {
  replace=0
  [ "$1" != replaced ] || replace=1
  mkdir "$work/stores"
  ONELINE_REPLACE_BUILTIN=$replace java -Xms1g -Xmx1g \
    -Djava.io.tmpdir="$work" -cp "$work/classes:$jar" \
    org.oneline.rocksjava.RocksJavaLoad \
    "$1" "$work/stores" "$keys" "$operations" >"$work/pass" || exit 1
  tee -a "$work/passes" <"$work/pass"
  rm -rf "$work/stores"
}

for ((round = 0; round < rounds; ++round)); do
  order='bloom again oneline replaced'
  [ $((round % 2)) = 0 ] || order='replaced oneline again bloom'
  for policy in $order; do run "$policy"; done
done

add_results -v outer=0 -v compared=bloom "$work/passes"
publish
