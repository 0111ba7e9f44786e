#!/bin/sh
# Installs the libraries and the program into a folder, builds the Debian packages
# and unpacks them into another, and uses both as programs outside of our tree
# do: by find_package, by pkg-config, linked to the shared and the static library,
# and preloaded. Ends with the line `N passed, N failed`.
#
#   run.sh            both
#   run.sh prefix     the installation alone
#   run.sh debian     the packages alone
#
# What is built is kept in ${XDG_CACHE_HOME:-~/.cache}/oneline.
set -eu
cd "$(dirname "$0")/../.."
third_party/install.sh cmake pkg-config binutils man-db
out=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/packages
users=$PWD/tests/packages/users
cxx=${CXX:-c++}
parts=${*:-prefix debian}
series=$(sed -n 's/^#define ONELINE_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' \
  filter_policy/include/oneline/version.h)
passed=0
failed=0
rm -rf "$out/users" "$out/prefix" "$out/root"
mkdir -p "$out/users"
# CMake refuses the build of another checkout.
if [ "$(cat "$out/checkout" 2>/dev/null)" != "$PWD" ]; then
  rm -rf "$out/build"
  echo "$PWD" >"$out/checkout"
fi

# check NAME COMMAND...: one test.
check() {
  name=$1
  shift
  if "$@" >"$out/log" 2>&1; then
    echo "$name: passed"
    passed=$((passed + 1))
  else
    cat "$out/log"
    echo "$name: failed"
    failed=$((failed + 1))
  fi
}

# The database of a test is new.
run() {
  rm -rf "$out/database"
  "$@" "$out/database"
}

# compile PROGRAM FLAGS...
compile() {
  program=$1
  shift
  "$cxx" -std=c++17 -O1 -Wall -Wextra -Werror "$users/${program%%-*}.cc" \
    -o "$out/users/$program" "$@"
}

configure_users() {
  # Some distributions' compilers pass --as-needed.
  cmake -S "$users" -B "$1" -DCMAKE_PREFIX_PATH="$2" \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed -Dseries="$series" "$3"
}

# use NAME PREFIX LIBDIR: everything that can be used of an installation.
use() {
  export LD_LIBRARY_PATH="$3"
  export PKG_CONFIG_PATH="$3/pkgconfig"
  build=$out/users/cmake-$1
  check "$1: find_package" configure_users "$build" "$2" -DCMAKE_BUILD_TYPE=Release
  check "$1: build with find_package" cmake --build "$build"
  for program in rocksdb_by_call rocksdb_by_name leveldb_by_call; do
    check "$1: $program" run "$build/$program"
    check "$1: $program, static" run "$build/${program}_static"
  done
  check "$1: preloaded" \
    run env LD_PRELOAD="$3/liboneline_preload.so.$series" "$build/rocksdb_by_name_alone"

  for program in rocksdb_by_call rocksdb_by_name leveldb_by_call; do
    case $program in
      rocksdb*) package=oneline ;;
      *) package=oneline_leveldb ;;
    esac
    for package in $package ${package}_static; do
      check "$1: $program with pkg-config, $package" compile "$program" \
        -Wl,--as-needed $(pkg-config --cflags --libs "$package")
      check "$1: $program of that" run "$out/users/$program"
    done
    check "$1: $program does not need our shared library" \
      not_needed liboneline "$out/users/$program"
  done
}

# not_needed LIBRARY PROGRAM
not_needed() { ! readelf --dynamic "$2" | grep "NEEDED.*$1"; }

# By hand, without the flags that keep what nothing refers to: a program that
# makes the policy has the names, too.
use_static() {
  unset LD_LIBRARY_PATH
  check "static: rocksdb_by_call by hand" compile rocksdb_by_call \
    -I"$out/prefix/include" "$out/prefix/lib/liboneline.a" -lrocksdb
  check "static: rocksdb_by_call of that" run "$out/users/rocksdb_by_call"
}

# RocksDB as well is a static library.
use_static_rocksdb() {
  build=$out/users/cmake-static-rocksdb
  check "static RocksDB: find_package" configure_users "$build" "$out/prefix" \
    -DONELINE_ROCKSDB=RocksDB::rocksdb
  check "static RocksDB: build" \
    cmake --build "$build" --target rocksdb_by_name_static
  check "static RocksDB: rocksdb_by_name" run "$build/rocksdb_by_name_static"
  check "static RocksDB: the shared one is not needed" \
    not_needed librocksdb "$build/rocksdb_by_name_static"
}

# The program finds our filters in the database of the test before.
use_program() {
  check "$1: oneline verify" "$2" verify "$out/database"
  inspect() { "$1" inspect "$out/database" | grep -q ribbon; }
  check "$1: oneline inspect" inspect "$2"
}

install_here() {
  cmake -S . -B "$out/build" -DCMAKE_INSTALL_PREFIX="$out/prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DONELINE_SHARED=ON \
    -DONELINE_LEVELDB=ON -DONELINE_TOOLS=ON &&
    cmake --build "$out/build" -j "$(nproc)" &&
    cmake --install "$out/build"
}

unpack() {
  for deb in deb/*.deb; do
    dpkg -x "$deb" "$out/root" || return 1
  done
}

make_debs() {
  third_party/make_debs.sh >"$out/make_debs" 2>&1 || {
    cat "$out/make_debs"
    return 1
  }
}

# The last line that `make deb` prints has the packages that users need.
prints_how_to_install() {
  tail -n 1 "$out/make_debs" | tee "$out/install"
  for package in "liboneline$series" "liboneline-leveldb$series" liboneline-dev \
    oneline-tools oneline-doc; do
    grep -q " \./deb/${package}_" "$out/install" || return 1
  done
}

# A page for each command.
has_manual() {
  for command in $("$2" help | sed -n 's/^  \([a-z]*\) .*/\1/p;/--help/q'); do
    ls "$1/man/man1/oneline-$command.1"* || return 1
  done
}

# The installed pages, whose links lead to installed files.
has_pages() (
  cd "$1" && [ -e README.md ] || return 1
  ! find . -name '*.md' | while read -r page; do
    grep -o ']([A-Za-z0-9_./-]*[)#]' "$page" | tr -d '])(#' | while read -r link; do
      [ -e "${page%/*}/$link" ] || echo "$page: $link"
    done
  done | grep .
)

case $parts in *prefix*)
  check "build and install" install_here
  use prefix "$out/prefix" "$out/prefix/lib"
  use_static
  use_static_rocksdb
  use_program prefix "$out/prefix/bin/oneline"
  check "prefix: completion" \
    test -e "$out/prefix/share/bash-completion/completions/oneline"
  check "prefix: pages" has_pages "$out/prefix/share/doc/oneline"
esac

case $parts in *debian*)
  check "Debian packages, lintian" make_debs
  check "debian: how to install" prints_how_to_install
  check "unpack the Debian packages" unpack
  use debian "$out/root/usr" \
    "$out/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
  check "debian: a database for the program" run "$out/users/rocksdb_by_call"
  use_program debian "$out/root/usr/bin/oneline"
  check "debian: manual" has_manual "$out/root/usr/share" \
    "$out/root/usr/bin/oneline"
  check "debian: pages" has_pages "$out/root/usr/share/doc/oneline"
esac

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
