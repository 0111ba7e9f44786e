#!/bin/sh
# Builds the filters of RocksDB, of the installed version, with AVX2 and without
# assertions, as a fair peer to compare ours with. The distribution's own library
# has assertions and no AVX2, which makes whatever is compared with it look better.
#
# Prints the path of the shared library, which is kept in the cache folder.
# Usage: build.sh [COMPILER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
compiler=${1:-g++}
version=$(dpkg-query -W -f='${Version}' librocksdb-dev)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/rocksdb-$version
library=$cache/librocksdb_avx2_filters.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -e "$library" ] || [ "$here/entry.cc" -nt "$library" ]; then
  source=$("$here/../../../third_party/rocksdb_source.sh")
  # Compiles only the code of lookups and builds; the rest of RocksDB is the
  # installed library. -Bsymbolic makes the library call its own copies of these
  # functions.
  "$compiler" -std=c++17 -O2 -DNDEBUG -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt \
    -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX -DOS_LINUX -DHAVE_AVX2 \
    -DHAVE_BMI -DROCKSDB_MALLOC_USABLE_SIZE -w -fPIC -shared -Wl,-Bsymbolic \
    -I"$source" -I"$source/include" \
    "$here/entry.cc" "$source/table/block_based/filter_policy.cc" \
    "$source/util/hash.cc" -lrocksdb -o "$work/library.so"
  mv "$work/library.so" "$library"
fi
echo "$library"
