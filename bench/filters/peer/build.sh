#!/bin/sh
# Builds the honest peer: the filters of RocksDB, of the version that is
# installed, with AVX2 and without assertions. The distribution's own library
# has neither, and so flatters whatever is compared with it.
#
# RocksDB's source comes from the distribution's source package and stays in the
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
  # Package lists of our own, with the machine's sources turned into deb-src, so
  # that nothing is changed in /etc/apt.
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
    echo "error: the source package rocksdb=$version can't be had" >&2
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
  # Only what a lookup and a build run through; the rest of RocksDB is the
  # installed library. -Bsymbolic: our copies of these functions, not its.
  "$compiler" -std=c++17 -O2 -DNDEBUG -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt \
    -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX -DOS_LINUX -DHAVE_AVX2 \
    -DHAVE_BMI -DROCKSDB_MALLOC_USABLE_SIZE -w -fPIC -shared -Wl,-Bsymbolic \
    -I"$cache/source" -I"$cache/source/include" \
    "$here/entry.cc" "$cache/source/table/block_based/filter_policy.cc" \
    "$cache/source/util/hash.cc" -lrocksdb -o "$work/library.so"
  mv "$work/library.so" "$library"
fi
echo "$library"
