#!/bin/bash
# Compares lookups and builds of two commits (commits_bench.cc), each built from
# its own sources, outside of this tree, and kept in the cache folder.
#
# Usage: commits.sh OLD [NEW]
#   OLD, NEW   commits; without NEW, the files of this tree as they are
#
# Environment:
#   ROUNDS=1000  how often 4096 lookups of each take their turn
#   ONLY=REGEX   only rows that match, such as "absent/10 bits/1024 KB"
set -euo pipefail
cd "$(dirname "$0")/../.."
old=${1:?usage: commits.sh OLD [NEW]}
new=${2:-}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/commits
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# TREE LIBRARY: with the flags of the library that users link.
build() {
  local flags="-std=c++17 -O2 -DNDEBUG -fPIC -w -I$1 -I$1/filter_policy/include"
  mkdir "$work/objects"
  {
    echo "$PWD/bench/filters/peer/commit_entry.cc"
    find "$1/table" -name '*.cc' ! -name '*_gen.cc'
    find "$1/filter_policy/rocksdb" -name 'rocksdb_bits_*.cc' -o \
      -name rocksdb_cache_charge.cc -o -name rocksdb_allocation_rounding.cc
  } | xargs -P "$(nproc)" -I{} sh -c \
    'g++ '"$flags"' -c {} -o "$0/$(basename {} .cc).o"' "$work/objects"
  echo '{ global: NewCommitPolicy; local: *; };' >"$work/exports"
  g++ -shared -Wl,-Bsymbolic -Wl,--no-undefined "-Wl,--version-script=$work/exports" \
    "$work"/objects/*.o -lrocksdb -o "$work/library.so"
  mv "$work/library.so" "$2"
  rm -r "$work/objects"
}

# COMMIT LIBRARY
build_commit() {
  local hash kept
  hash=$(git rev-parse --verify "$1^{commit}")
  kept=$cache/$hash-$(g++ -dumpfullversion)-$(cksum <bench/filters/peer/commit_entry.cc | cut -d ' ' -f 1).so
  if [ ! -e "$kept" ]; then
    mkdir "$work/tree"
    git archive "$hash" table filter_policy | tar -x -C "$work/tree"
    build "$work/tree" "$kept"
    rm -r "$work/tree"
  fi
  cp "$kept" "$2"
}

build_commit "$old" "$work/old.so"
if [ -n "$new" ]; then build_commit "$new" "$work/new.so"; else build "$PWD" "$work/new.so"; fi
bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //bench/filters:commits_bench
peer=$(bench/filters/peer/build.sh) || peer=
lscpu | sed -n 's/^Model name: *//p'
g++ --version | head -n 1
git log -1 --format="old: %h %s" "$old"
if [ -n "$new" ]; then git log -1 --format="new: %h %s" "$new"; else echo "new: this tree"; fi
ONELINE_PEER=$peer bazel-bin/bench/filters/commits_bench "$work/old.so" "$work/new.so" \
  "${ROUNDS:-1000}" "${ONLY:-}"
