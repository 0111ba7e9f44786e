#!/bin/sh
# Says in a table what a RocksDB breaks: whether our header and our policy, as the
# two files of `make amalgamation`, compile with its headers, with GCC and Clang,
# C++17 and C++20, without RTTI; whether the policy links with its library; and
# which of its tests pass. Ends with the line `N passed, N failed`.
# Usage: try.sh SOURCE
#
# SOURCE is a source tree of RocksDB, in which its library may have been built, or
# a folder such as /usr that has its headers in include/ and its library.
set -u
cd "$(dirname "$0")/../.." || exit
include=${1:-}/include
[ -f "$include/rocksdb/version.h" ] || {
  echo "usage: make try-rocksdb SOURCE=<RocksDB's source tree>" >&2
  exit 2
}
library=$(find "$1/" -maxdepth 3 \( -name librocksdb.a -o -name librocksdb.so \) |
  sort | head -n 1)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
third_party/amalgamate.sh "$out"
# Alone, since compilers must not get /usr/include in another order.
mkdir "$out/include"
ln -s "$(realpath "$include")/rocksdb" "$out/include/rocksdb"
passed=0
failed=0

# WHAT COMMAND...: a row, of a command that succeeds or why it does not.
row() {
  what=$1
  shift
  if "$@" >"$out/log" 2>&1; then
    answer=yes
    passed=$((passed + 1))
  else
    answer="no: $(grep -m 1 -e error: -e 'undefined reference' "$out/log")"
    failed=$((failed + 1))
  fi
  printf '%-45s %s\n' "$what" "$answer"
}

version() { sed -n "s/#define ROCKSDB_$1 *//p" "$include/rocksdb/version.h"; }
echo "RocksDB $(version MAJOR).$(version MINOR).$(version PATCH) in $1"
for cxx in g++ clang++; do
  command -v $cxx >/dev/null || continue
  for standard in 17 20; do
    compile="$cxx -std=c++$standard -DONELINE_UNTESTED_ROCKSDB -isystem $out/include \
      -Wall -Wextra -Wshadow -Werror -I. -Ifilter_policy/include -c"
    # Its own headers may need C++20.
    echo '#include <rocksdb/db.h>' >"$out/rocksdb.cc"
    $compile "$out/rocksdb.cc" -o "$out/rocksdb.o" 2>/dev/null || continue
    echo '#include "oneline/level_filters.h"' >"$out/header.cc"
    row "level_filters.h compiles, $cxx, C++$standard" \
      $compile -fno-rtti "$out/header.cc" -o "$out/header.o"
    row "oneline.cc compiles, $cxx, C++$standard" \
      $compile -fno-rtti "$out/oneline.cc" -o "$out/oneline.o"
  done
done

if [ -n "$library" ]; then
  # All tests as one source: most of a compiler's time goes into headers.
  ls tests/filter_policy/rocksdb/*_test.cc | grep -v _check_test |
    sed 's/.*/#include "&"/' >"$out/tests.cc"
  compile=$(echo "$compile" | sed 's/clang++/g++/')
  row "oneline.cc links, $library" sh -c "
    $compile -O2 $out/oneline.cc -o $out/oneline.o &&
    $compile -Wno-shadow $out/tests.cc -o $out/tests.o &&
    g++ $out/*.o -o $out/tests $library -lgtest -lgtest_main -Wl,--as-needed \
      -lsnappy -lbz2 -lz -llz4 -lzstd -ldl -lpthread"
  LD_LIBRARY_PATH=$(dirname "$library") tests/cross/run_test.sh "$out/tests" >"$out/result"
  row 'the tests of the policy pass' grep ': [1-9][0-9]* passed, 0 failed' "$out/result"
  tail -n 1 "$out/result" | sed 's/.*: //'
else
  echo "no library in $1: build it, or run make check-rocksdb SOURCE=$1"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
