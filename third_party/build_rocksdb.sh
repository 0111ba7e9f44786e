#!/bin/sh
# Builds a source tree of RocksDB, or of Speedb, with our plugin, and prints the
# folder of the build: librocksdb.a and programs are in build/ there, and tree/ is
# the source tree. Takes half an hour of two processors the first time; what is
# built is kept in ${XDG_CACHE_HOME:-~/.cache}/oneline.
#
# The given tree is not written into. tree/ has links to its files, and a link
# to this repository as plugin/oneline.
# Usage: build_rocksdb.sh tests|native|java SOURCE TARGET...
#
#   tests    with assertions, and with our policy in RocksDB's own tests
#   native   for speed: this processor's instructions, no assertions
#   java     RocksJava, by RocksDB's make; it is in tree/java/target
set -eu
cd "$(dirname "$0")/.."
purpose=$1
source=$(realpath -m -- "$2")
shift 2
version_h=$source/include/rocksdb/version.h
[ -f "$version_h" ] && [ -f "$source/CMakeLists.txt" ] || {
  echo "error: $source is no source tree of RocksDB: it must have" \
    "CMakeLists.txt and include/rocksdb/version.h" >&2
  exit 1
}
version=$(sed -n 's/^#define ROCKSDB_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' \
  "$version_h" | paste -sd.)
out=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/rocksdb-$version-$(
  printf %s "$source" | cksum | cut -d' ' -f1)
case $purpose in
  # RocksDB's tests are built in its type Debug only.
  tests) flags='-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1
    -DCMAKE_C_FLAGS_DEBUG=-O1 -DPORTABLE=1 -DONELINE_ROCKSDB_TESTS=ON' ;;
  native)
    flags='-DCMAKE_BUILD_TYPE=Release -DWITH_TESTS=OFF'
    out=$out-native
    ;;
  java)
    out=$out-java
    third_party/install.sh default-jdk-headless junit4 libassertj-core-java \
      libbz2-dev liblz4-dev libsnappy-dev libzstd-dev zlib1g-dev
    ;;
esac
mkdir -p "$out"

rm -rf "$out/tree"
cp -rs "$source" "$out/tree"
rm -rf "$out/tree/.git" "$out/tree/plugin/oneline"
mkdir -p "$out/tree/plugin"
ln -s "$PWD" "$out/tree/plugin/oneline"
# Some copies of the sources lack the module that reads the version, and the
# GoogleTest that RocksDB brings along.
if [ ! -e "$out/tree/cmake/modules/ReadVersion.cmake" ]; then
  mkdir -p "$out/tree/cmake/modules"
  printf '%s\n' 'function(get_rocksdb_version variable)' \
    "  set(\${variable} $version PARENT_SCOPE)" \
    "  set(rocksdb_VERSION_LIB ${version%.*} PARENT_SCOPE)" \
    'endfunction()' >"$out/tree/cmake/modules/ReadVersion.cmake"
fi
googletest=$out/tree/third-party/gtest-1.8.1/fused-src/gtest
if [ ! -d "$googletest" ]; then
  mkdir -p "$googletest"
  printf '%s\n' 'find_package(GTest REQUIRED)' \
    'add_library(gtest INTERFACE)' \
    'target_link_libraries(gtest INTERFACE GTest::gtest)' \
    >"$googletest/CMakeLists.txt"
fi

build_with_cmake() {
  # Another checkout's objects may be newer than the sources of this one.
  if [ "$(cat "$out/checkout" 2>/dev/null)" != "$PWD" ]; then
    rm -rf "$out/build/CMakeFiles/rocksdb.dir/plugin"
    echo "$PWD" >"$out/checkout"
  fi
  # RocksDB's warnings are its own.
  # shellcheck disable=SC2086  # flags are several words
  cmake -G Ninja -S "$out/tree" -B "$out/build" $flags \
    -DROCKSDB_BUILD_SHARED=OFF -DWITH_LIBURING=OFF -DFAIL_ON_WARNINGS=OFF \
    -DROCKSDB_PLUGINS=oneline &&
    ninja -C "$out/build" "$@" || return
  # A fork's library has a name of its own.
  fork=$(sed -n 's/^project(\([a-z]*\).*/\1/p' "$source/CMakeLists.txt")
  [ "$fork" = rocksdb ] || ln -sf "lib$fork.a" "$out/build/librocksdb.a"
}

# In place of what RocksDB's make downloads, Debian's packages: the classes that
# RocksJava's tests need, and the libraries for compression. These are linked as
# shared ones, because Debian's static ones cannot be part of a shared library.
build_with_make() {
  # For Java, RocksDB's make does not look at changed headers.
  rm -rf "$out/objects/plugin"
  # Make would write through these links.
  rm -rf "$out/tree/util/build_version.cc" "$out/tree/java/include" \
    "$out/tree/java/target"
  jars=$(printf '/usr/share/java/%s.jar:' junit4 hamcrest assertj-core)
  JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")") \
    ROCKSDB_PLUGINS=oneline ONELINE_REPLACE_BUILTIN=1 PORTABLE=1 \
    DISABLE_WARNING_AS_ERROR=1 \
    make -C "$out/tree" -j "$(nproc)" OBJ_DIR="$out/objects" \
    JAVA_TESTCLASSPATH="$jars" JAVA_JUNIT_JAR_PATH= JAVA_HAMCREST_JAR_PATH= \
    JAVA_ASSERTJ_JAR_PATH= JAVA_MOCKITO_JAR_PATH= JAVA_CGLIB_JAR_PATH= \
    JAVA_COMPRESSIONS='-lz -lbz2 -lsnappy -llz4 -lzstd' "$@"
}

build=build_with_cmake
[ "$purpose" != java ] || build=build_with_make
$build "$@" >"$out/build.log" 2>&1 || {
  grep -A 20 'FAILED:\|CMake Error\|error:\|undefined reference' \
    "$out/build.log" | head -n 60 >&2
  echo "error: RocksDB $version was not built: $out/build.log has the rest" >&2
  exit 1
}
echo "$out"
