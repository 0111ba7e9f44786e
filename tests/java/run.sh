#!/bin/sh
# Tests OnelineFilter in RocksJava, and ends with the line `N passed, N failed`.
# Usage: run.sh SOURCE LIBONELINE
#
# SOURCE is the source tree of the installed RocksDB, of which the Java classes
# and those native functions are compiled that the test needs. They are linked
# to the installed RocksDB and to LIBONELINE, with our function among them.
set -eu
source=$(cd "$1" && pwd)
library=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")/../.."

out=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/java
mkdir -p "$out/include" "$out/classes"
javac -nowarn -h "$out/include" -d "$out/classes" \
  $(find "$source/java/src/main/java" -name '*.java') \
  filter_policy/java/OnelineFilter.java tests/java/OnelineFilterTest.java

jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
# RocksDB's sources include the generated headers as "include/...".
compile() {
  g++ -std=c++17 -O0 -fPIC -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX \
    -DOS_LINUX "-I$out" "-I$source" "-I$source/java" "-I$jdk/include" \
    "-I$jdk/include/linux" -c -o "$out/$(basename "$1" .cc).o" "$@"
}
for name in cache columnfamilyhandle comparatorjnicallback env filter \
  jnicallback loggerjnicallback options rocksjni snapshot statistics \
  statisticsjni table table_filter table_filter_jnicallback; do
  [ -e "$out/$name.o" ] || compile "$source/java/rocksjni/$name.cc" -w
done
compile filter_policy/java/oneline_filter_jni.cc -Wall -Wextra -Wshadow -Werror
g++ -shared -o "$out/librocksdbjni.so" "$out"/*.o -Wl,--no-as-needed \
  "$library" -Wl,--as-needed -lrocksdb

database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
LD_LIBRARY_PATH=$(dirname "$library") java -ea -Xcheck:jni \
  -Djava.library.path="$out" -cp "$out/classes" \
  org.oneline.OnelineFilterTest "$database"
sst_dump --file="$database" --show_properties --command=none |
  grep -q 'filter policy name: oneline$' || {
  echo "error: the tables do not have our filter" >&2
  exit 1
}
