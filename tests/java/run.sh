#!/bin/sh
# Builds RocksJava from a RocksDB source tree with the plugin, as users do, and
# ends with the line `N passed, N failed`. Run are, each without and with
# RocksDB's filters replaced,
#
# - our test of OnelineFilter and of BloomFilter
# - RocksJava's own tests that use filters
#
# Usage: run.sh SOURCE
set -eu
cd "$(dirname "$0")/../.."
[ -n "${1-}" ] || {
  echo "usage: make check-java SOURCE=<RocksDB's source tree>" >&2
  exit 2
}

echo "building RocksJava with the plugin" >&2
out=$(third_party/build_rocksdb.sh java "$1" rocksdbjavastatic)
built=$out/tree/java/target
jars=$(echo "$built"/*.jar /usr/share/java/junit4.jar \
  /usr/share/java/hamcrest.jar /usr/share/java/assertj-core.jar | tr ' ' :)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
javac -nowarn -d "$scratch/classes" -cp "$jars" \
  filter_policy/java/OnelineFilter.java tests/java/OnelineFilterTest.java

# Java finds the native library in RocksJava's jar.
for replaced in 0 1; do
  ONELINE_REPLACE_BUILTIN=$replaced java -ea -Xcheck:jni \
    -Djava.io.tmpdir="$scratch" -cp "$scratch/classes:$jars:$built/test-classes" \
    org.junit.runner.JUnitCore org.oneline.OnelineFilterTest \
    org.rocksdb.FilterTest org.rocksdb.BlockBasedTableConfigTest \
    org.rocksdb.MixedOptionsTest || true
done | tee "$scratch/log"
awk '/^OK \(/ { passed += substr($2, 2); ++finished }
     /^Tests run:/ { passed += $3 - $5; failed += $5; ++finished }
     END {
       printf "%d passed, %d failed\n", passed, failed
       exit failed > 0 || finished != 2
     }' "$scratch/log"
