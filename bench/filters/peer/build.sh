#!/bin/sh
# Builds the filters of RocksDB, of the installed version, with AVX2 and without
# assertions, as a fair peer to compare ours with. The distribution's own library
# has assertions and no AVX2, which makes whatever is compared with it look better.
#
# RocksDB's source comes from the distribution's source package and is kept in the
# cache folder, outside the repository. Prints the path of the shared library.
# Usage: build.sh [COMPILER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
compiler=${1:-g++}
version=$(dpkg-query -W -f='${Version}' librocksdb-dev)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/rocksdb-$version
library=$cache/librocksdb_avx2_filters.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() {
  # Separate package lists, made from the machine's sources with deb turned into
  # deb-src, so that nothing changes in /etc/apt.
  mkdir -p "$work/sources" "$work/lists/partial"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $list in
      *.list) sed -n 's/^deb /deb-src /p' "$list" ;;
      *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" ;;
      *) continue ;;
    esac >"$work/sources/$(basename "$list")" 2>/dev/null || true
  done
  (
    cd "$work"
    set -- -o Dir::Etc::SourceList=/dev/null \
      -o Dir::Etc::SourceParts="$work/sources" \
      -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root
    apt-get "$@" update && apt-get "$@" --download-only source "rocksdb=$version"
  ) >"$work/log" 2>&1 && dpkg-source --no-check -x "$work"/rocksdb_*.dsc \
    "$work/source" >>"$work/log" 2>&1 || {
    tail -n 5 "$work/log" >&2
    echo "error: cannot fetch the source package rocksdb=$version" >&2
    exit 1
  }
}

if [ ! -e "$library" ] || [ "$here/entry.cc" -nt "$library" ]; then
  mkdir -p "$cache"
  if [ ! -d "$cache/source" ]; then
    "$here/../../third_party/install.sh" dpkg-dev >&2
    fetch
    mv "$work/source" "$cache/source"
  fi
  # Compiles only the code of lookups and builds; the rest of RocksDB is the
  # installed library. -Bsymbolic makes the library call its own copies of these
  # functions.
  "$compiler" -std=c++17 -O2 -DNDEBUG -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt \
    -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX -DOS_LINUX -DHAVE_AVX2 \
    -DHAVE_BMI -DROCKSDB_MALLOC_USABLE_SIZE -w -fPIC -shared -Wl,-Bsymbolic \
    -I"$cache/source" -I"$cache/source/include" \
    "$here/entry.cc" "$cache/source/table/block_based/filter_policy.cc" \
    "$cache/source/util/hash.cc" -lrocksdb -o "$work/library.so"
  mv "$work/library.so" "$library"
fi
echo "$library"
