#!/bin/sh
# Runs the tests of `oneline refilter`, and of its reading of MANIFESTs, with a RocksDB that was
# built from source: format versions 6 and 7 are in no package. Ends with the line `N passed, N failed`.
# Usage: refilter.sh SOURCE BUILD
#
#   SOURCE   RocksDB's source tree
#   BUILD    a folder where CMake and ninja built it, with the shared library librocksdb.so
#
# What is compiled is kept in ${XDG_CACHE_HOME:-~/.cache}/oneline.
set -eu
cd "$(dirname "$0")/../.."
[ $# = 2 ] && [ -f "$1/include/rocksdb/version.h" ] && [ -f "$2/build.ninja" ] || {
  echo "usage: refilter.sh <RocksDB's source tree> <the folder of its build with CMake and ninja>" >&2
  exit 2
}
source=$(realpath -- "$1")
build=$(realpath -- "$2")
version=$(sed -n 's/^#define ROCKSDB_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$source/include/rocksdb/version.h" |
  paste -sd.)
out=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/refilter-$version
mkdir -p "$out"
ln -sfn "$source" "$out/tree"
ln -sfn "$build" "$out/build"

# A release of RocksDB has no type information for classes that derive from its own.
flags=
! grep -q -e -fno-rtti "$build/build.ninja" || flags=-fno-rtti
tests=$(ls tests/tools/refilter/*_test.cc tests/tools/manifest/*_test.cc)
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" ROCKSDB="$out" OUT="$out/tests" \
  CPPFLAGS="$flags" PROGRAMS="tools/oneline.cc $(echo $tests)" rocksdb="-L$build -Wl,-rpath,$build -lrocksdb" \
  POLICIES="$(ls filter_policy/rocksdb/*.cc filter_policy/leveldb/*.cc filter_policy/replacement/rocksdb_*.cc |
    paste -sd' ') tests/tools/json.cc"

# The tests run the program that is below their working directory.
results=$(mktemp)
trap 'rm -f "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
run=$PWD/tests/cross/run_test.sh
(cd "$out/tests" && for test in $tests; do "$run" "${test%.cc}"; done) | tee "$results"
awk -f tests/cross/add_up.awk "$results"
