#!/bin/sh
# Writes the policy for RocksDB as two files, oneline.h, the public headers, and
# oneline.cc, all sources, which need nothing but RocksDB's headers and xxHash.
# Usage: amalgamate.sh [DIRECTORY]
#
# Headers of ours stand once, before all sources, so that none is lost in an #if
# of the source that includes it first. A file *.inc stands where it is included.
set -eu
cd "$(dirname "$0")/.."
out=${1:-amalgamation}
mkdir -p "$out"
public=$(ls filter_policy/include/oneline/*.h | grep -v leveldb)
sources=$(ls table/*/*.cc filter_policy/options/*.cc filter_policy/refilter/*.cc \
  filter_policy/rocksdb/*.cc | grep -v -e _gen.cc -e /short_block/)

awk -v public="$(echo $public)" -v sources="$(echo $sources)" -v out="$out" '
  # Our file that a line includes; "" if it includes none.
  function included(line,   name, n, roots, i, unused) {
    if (line !~ /^#include "/) return ""
    name = substr(line, 11, length(line) - 11)
    n = split(" filter_policy/include/", roots, " ")
    for (i = 0; i <= n; ++i) {
      if ((getline unused < (roots[i] name)) < 0) continue
      close(roots[i] name)
      return roots[i] name
    }
    return ""
  }
  # Writes a file without our headers.
  function write(file,   line, other) {
    while ((getline line < file) > 0) {
      other = included(line)
      if (other == "") print line >to
      else if (other ~ /\.inc$/) write(other)
    }
    close(file)
  }
  # Writes the headers of a file that are not there yet, each after its own.
  function write_headers(file,   line, other) {
    while ((getline line < file) > 0) {
      other = included(line)
      if (other ~ /\.h$/) write_header(other)
    }
    close(file)
  }
  function write_header(file) {
    if (file in written) return
    written[file]
    write_headers(file)
    write(file)
  }
  BEGIN {
    version = "?"
    while ((getline line < "filter_policy/include/oneline/version.h") > 0)
      if (line ~ /define ONELINE_VERSION "/) version = line
    close("filter_policy/include/oneline/version.h")
    gsub(/.* "|"/, "", version)
    to = out "/oneline.h"
    print "// oneline " version " in two files: docs/installing.md says how to use them.\n" \
      "// SPDX-License-Identifier: Apache-2.0\n" >to
    n = split(public, files, " ")
    for (i = 1; i <= n; ++i) write_header(files[i])
    to = out "/oneline.cc"
    print "// oneline " version ": c++ -std=c++17 -O2 -c oneline.cc\n" \
      "// SPDX-License-Identifier: Apache-2.0\n\n#include \"oneline.h\"\n" >to
    n = split(sources, files, " ")
    for (i = 1; i <= n; ++i) write_headers(files[i])
    for (i = 1; i <= n; ++i) {
      print "// " files[i] >to
      write(files[i])
    }
  }'
