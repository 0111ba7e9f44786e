#!/bin/sh
# Builds a RocksDB source tree with our plugin for speed, and database_bench with it. Prints the folder
# that has it.
# Usage: build_with_rocksdb.sh SOURCE
set -eu
cd "$(dirname "$0")/../.."
third_party/install.sh cmake ninja-build >&2
build=$(third_party/build_rocksdb.sh native "$1" rocksdb)

# The policy for RocksDB comes from RocksDB's library.
sources=$(ls bench/databases/*.cc bench/keys/*.cc bench/measure/*.cc bench/filters/filter_candidates.cc \
  tools/text/*.cc | grep -v -e '_bench\.cc$' -e '/peak_memory' -e '/builtin_')
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
  ROCKSDB="$build" OUT="$build/bench" LIBRARY="$(echo $sources)" \
  PROGRAMS="bench/databases/database_bench.cc" \
  CPPFLAGS='-DNDEBUG -U_GLIBCXX_ASSERTIONS' >&2
echo "$build/bench/bench/databases"
