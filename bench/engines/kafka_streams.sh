#!/bin/sh
# Measures RocksJava as Kafka Streams uses it: a process does the same work with
# its default, BloomFilter; with OnelineFilter("oneline:10"); and, in one pass,
# with BloomFilter replaced by ONELINE_REPLACE_BUILTIN=1. The first two take turns
# in the order A B B A. Every answer is compared with what it must be, and every
# table must have a filter of the policy. No Kafka is needed.
# Usage: kafka_streams.sh SOURCE
#
#   SOURCE  a RocksDB source tree, of 7.8 or later. RocksJava is built from it
#           with the plugin, half an hour of two processors the first time.
#
# Environment:
#   KEYS=1500000        in each store when reading begins, of 166 bytes with the value
#   OPERATIONS=200000   measured in each workload, a tenth as many scans; after a
#                       quarter more
#   ROUNDS=1            of A B B A
#   FIGURES=FILE        also writes the medians in the form of docs/internals/figures/
#
# Needs Debian, and a gigabyte in ${TMPDIR:-/tmp} for each million of keys, on a
# file system that has direct reads. The block cache of a store has 50 MB.
#
# Workloads. In "memory" tables are read through the page cache, in "disk" past it.
#
#   aggregation         gets a key, which is new in 30 % of the records, and puts it
#   deduplication       gets a key, which is new in 99 %, and puts it if it is
#   window aggregation  the same as an aggregation, by key and hour
#   window fetch        scans three hours of a key, which asks no filter
set -eu
[ $# = 1 ] && [ -d "$1" ] || {
  echo "usage: kafka_streams.sh SOURCE" >&2
  exit 2
}
source=$(realpath "$1")
cd "$(dirname "$0")/../.."
keys=${KEYS:-1500000} operations=${OPERATIONS:-200000} rounds=${ROUNDS:-1}

echo "building RocksJava with the plugin" >&2
out=$(third_party/build_rocksdb.sh java "$source" rocksdbjavastatic)
jar=$(echo "$out"/tree/java/target/*.jar)
scratch=$(mktemp -d)
# RocksJava is not the installed RocksDB, and has a compiler's flags of its own.
bench/report/machine.sh "KEYS=$keys OPERATIONS=$operations ROUNDS=$rounds bench/engines/kafka_streams.sh SOURCE" |
  grep -v -e '^compiler' -e '^RocksDB' >"$scratch/figures"
printf 'RocksJava\t%s\n' "$(basename "$jar" | sed 's/[^0-9]*\([0-9.]*[0-9]\).*/\1/')" >>"$scratch/figures"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
javac -nowarn -d "$scratch/classes" -cp "$jar" \
  filter_policy/java/OnelineFilter.java bench/engines/kafka_streams/*.java

# run POLICY: one pass, which begins with empty stores.
run() {
  replace=0
  [ "$1" != replaced ] || replace=1
  mkdir "$scratch/stores"
  ONELINE_REPLACE_BUILTIN=$replace java -Xms1g -Xmx1g \
    -Djava.io.tmpdir="$scratch" -cp "$scratch/classes:$jar" \
    org.oneline.kafka_streams.KafkaStreamsLoad \
    "$1" "$scratch/stores" "$keys" "$operations" >"$scratch/pass" || exit 1
  tee -a "$scratch/results" <"$scratch/pass"
  rm -rf "$scratch/stores"
}

while [ "$rounds" -gt 0 ]; do
  rounds=$((rounds - 1))
  for policy in bloom oneline oneline bloom; do
    run $policy
  done
done
run replaced

echo "Medians, and in brackets the least and the most. All answers were right."
awk -F'\t' -v figures="$scratch/figures" '
  # The columns of the rows `kind`, the first of them `first`, by name and policy.
  function report(kind, first, title, digits, i, j, k, n, p, line, value, values, quantity, columns) {
    print "\n" title
    columns = split(title, quantity, "\t") - length(digits)
    for (i = 1; i <= names[kind]; i++) {
      for (p = 1; p <= 3; p++) {
        line = name[kind, i] "\t" policies[p]
        for (j = 1; j <= length(digits); j++) {
          n = passes[kind, name[kind, i], policies[p]]
          for (k = 1; k <= n; k++) {
            value = cell[kind, name[kind, i], policies[p], k, first + j - 1]
            for (m = k; m > 1 && values[m - 1] > value; m--) values[m] = values[m - 1]
            values[m] = value
          }
          format = "%." substr(digits, j, 1) "f"
          value = sprintf(format, (values[int((n + 1) / 2)] + values[int(n / 2) + 1]) / 2)
          label = name[kind, i]
          sub(/\t/, " ", label)
          print label "\t" policies[p] "\t" quantity[columns + j] "\t" value "\t\t" >>figures
          line = line "\t" value
          if (values[n] > values[1])
            line = line sprintf(" (" format "-" format ")", values[1], values[n])
        }
        print line
      }
    }
  }
  BEGIN { split("bloom oneline replaced", policies, " ") }
  {
    key = $1 == "restore" ? $3 : $3 "\t" $4
    if (!passes[$1, key, $2]++ && !(($1, key) in seen)) {
      seen[$1, key] = 1
      name[$1, ++names[$1]] = key
    }
    for (i = 3; i <= NF; i++) cell[$1, key, $2, passes[$1, key, $2], i] = $i + 0
  }
  END {
    report("restore", 4, "restored\tfilter\tprocessor seconds", "1")
    report("filters", 5, "stores\tafter\tfilter\tMB of filters\tbits per key\tMB of table readers\tsorted runs", "2220")
    report("read", 5, "workload\tcache\tfilter\toperations/s\tp50 us\tp99 us\tp99.9 us\tprocessor seconds\tfalse positives\tfiltered\tabsent", "01112000")
  }' "$scratch/results"
[ -z "${FIGURES:-}" ] || cp "$scratch/figures" "$FIGURES"
