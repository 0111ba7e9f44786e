#!/bin/sh
# Compares what is in the policy by each way of building it: the headers that users
# include and the sources, in Bazel, CMake, both builds of the plugin and the two
# files of `make amalgamation`. Then tries these with the installed RocksDB
# (tests/rocksdb/try.sh). Ends with the line `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit
third_party/install.sh cmake
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

third_party/amalgamate.sh "$out"
{
  sed -n 's,^// \(.*/.*\.cc\)$,\1,p' "$out/oneline.cc"
  sed -n 's,^#define ONELINE_\([A-Z_]*\)_H_$,\1.h,p' "$out/oneline.h" | tr A-Z a-z
} >"$out/amalgamation"
printf '%s\n' 'include oneline.mk' \
  'all: ; @printf "%s\n" $(oneline_SOURCES) $(oneline_HEADERS)' |
  make -s -f - all >"$out/make"
# RocksDB's build includes it as this project does.
mkdir "$out/rocksdb"
echo "cmake_minimum_required(VERSION 3.16)
project(rocksdb LANGUAGES NONE)
add_subdirectory($PWD plugin)
list(APPEND oneline_SOURCES \${oneline_HEADERS})
list(JOIN oneline_SOURCES \"\n\" lines)
file(WRITE $out/cmake_plugin \"\${lines}\n\")" >"$out/rocksdb/CMakeLists.txt"
cmake -S "$out/rocksdb" -B "$out/rocksdb/build" >/dev/null
cmake -S . -B "$out/build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DONELINE_TOOLS=OFF \
  >/dev/null
cat "$out/build/compile_commands.json" "$out/build/cmake_install.cmake" |
  sed -n "s,.*\"$PWD/\([^\"]*\.\(cc\|h\)\)\".*,\1,p" >"$out/cmake"
bazel query --noshow_progress \
  'kind("source file", deps(//:liboneline.so))' 2>/dev/null |
  sed 's,^//,,; s,:,/,' >"$out/bazel"

# LIST: of the policy for RocksDB, without what each way has of its own. Headers
# have their names alone.
part_of() {
  sed -n 's,.*include/oneline/,,; /^[a-z_]*\.h$/p
    /^\(table\|filter_policy\/\(options\|refilter\|rocksdb\)\)\/.*\.cc$/p' "$1" |
    grep -v -e /register_before_main.cc -e /short_block/ -e _gen.cc \
      -e leveldb_filter_policy.h | sort -u
}
{
  part_of "$out/bazel" >"$out/expected"
  for way in make cmake_plugin cmake amalgamation; do
    if part_of "$out/$way" | diff "$out/expected" - >&2 && [ -s "$out/expected" ]; then
      echo "the policy in $way is that in Bazel: 1 passed, 0 failed"
    else
      echo "the policy in $way is that in Bazel: 0 passed, 1 failed"
    fi
  done
  tests/rocksdb/try.sh /usr |
    awk '{ print >"/dev/stderr" } /^[0-9]+ passed, [0-9]+ failed$/ { print "tried: " $0 }'
} | tee "$out/results"
awk -f tests/cross/add_up.awk "$out/results"
