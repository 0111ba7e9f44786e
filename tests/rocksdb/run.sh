#!/bin/sh
# Tests our policy as a plugin of a RocksDB source tree, built with assertions,
# and ends with the line `N passed, N failed`. Run are
#
# - our tests of the policy and of whole databases, linked to that RocksDB
#   (without libraries for compression, which filters do not need)
# - RocksDB's programs: do they know our names?
# - RocksDB's own tests of filters, with our policy in place of its own, but for
#   the cases in excluded.txt
#
# (stress.sh runs RocksDB's db_crashtest.py.) Usage: run.sh SOURCE
set -eu
cd "$(dirname "$0")/../.."
[ -n "${1-}" ] || {
  echo "usage: make check-rocksdb SOURCE=<RocksDB's source tree>" >&2
  exit 2
}

third_party/install.sh cmake ninja-build
echo "building RocksDB with the plugin" >&2
out=$(third_party/build_rocksdb.sh tests "$1" rocksdb ldb sst_dump db_bench \
  bloom_test db_bloom_filter_test)

# All of the policy comes from RocksDB's library; what else the tests share is
# compiled here, by the same standard of C++ as RocksDB. Two tests take the
# place of functions that are in the static library, too.
programs=$(find tests/filter_policy/rocksdb tests/filter_policy/replacement tests/integration \
  -name '*_test.cc' ! -name 'docs_*' ! -name core_sources_test.cc ! -name '*_check_test.cc' | sort)
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
  ROCKSDB="$out" OUT="$out/tests" PROGRAMS="$(echo $programs)" \
  LIBRARY="$(ls tools/models/*.cc tools/sst/*.cc tests/filter_policy/*.cc | grep -v _gen.cc | paste -sd ' ')"

scratch=$(mktemp -d)
results=$scratch/results
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

{
  for source in $programs; do echo "$out/tests/${source%.cc}"; done |
    xargs -n 1 -P "$(nproc)" tests/cross/run_test.sh
  tests/rocksdb/programs_test.sh "$out/build" ||
    echo "programs_test.sh: 0 passed, 1 failed"
  export ONELINE_REPLACE_BUILTIN=1 TEST_TMPDIR="$scratch"
  GTEST_FILTER=-$(sed 's/[ \t]*#.*//' tests/rocksdb/excluded.txt | grep . |
    paste -sd:)
  export GTEST_FILTER
  printf '%s\n' "$out/build/bloom_test" "$out/build/db_bloom_filter_test" |
    xargs -n 1 -P "$(nproc)" tests/cross/run_test.sh
} | tee "$results"
awk -f tests/cross/add_up.awk "$results"
