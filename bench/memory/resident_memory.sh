#!/bin/sh
# The table of docs/internals/measurements.md: resident memory of filters that pass 1 % of absent keys, with glibc's malloc, with jemalloc, and with
# our aligned allocator over each; in brackets what RocksDB charges to the block cache. Takes some ten minutes.
set -eu
cd "$(dirname "$0")/../.."
third_party/install.sh libjemalloc2
jemalloc=$(dpkg -L libjemalloc2 | grep 'libjemalloc\.so\.2$')
bazel build --noshow_progress --ui_event_filters=-info //bench/memory:resident_memory
program=bazel-bin/bench/memory/resident_memory

for shape in tables partitions; do
  echo
  echo "| $shape: bits per key, resident (charged) | glibc | glibc, aligned | jemalloc | jemalloc, aligned |"
  echo "|---|---|---|---|---|"
  for filter in rocksdb-bloom bloom ribbon; do
    for rounded in 0 1; do
      line="| $filter, optimize_filters_for_memory=$rounded |"
      for preloaded in "" "$jemalloc"; do
        for allocator in new aligned; do
          result=$(LD_PRELOAD=$preloaded $program $filter $shape $allocator $rounded)
          line="$line $(echo "$result" | awk '{ print $4 " (" $3 ")" }') |"
          echo "$filter $shape ${preloaded:+jemalloc }$allocator $rounded: $result" >&2
        done
      done
      echo "$line"
    done
  done
done
