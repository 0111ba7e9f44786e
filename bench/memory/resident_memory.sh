#!/bin/bash
# `make measure-memory`: resident memory of filters that pass 1 % of absent keys, with glibc, with jemalloc, and with
# our aligned allocator over each; and what RocksDB charges to the block cache. Prints them in the form of
# docs/internals/figures/; "option" is optimize_filters_for_memory. Takes some ten minutes.
#
# Environment:
#   FIGURES=FILE   also writes them to this file
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
third_party/install.sh libjemalloc2
jemalloc=$(dpkg -L libjemalloc2 | grep 'libjemalloc\.so\.2$')
need_programs //bench/memory:resident_memory
program=$ONELINE_PROGRAMS/bench/memory/resident_memory

{
  bench/report/machine.sh "make measure-memory"
  dpkg-query -W -f='${Package}\t${Version}\n' libc6 libjemalloc2
  for shape in tables partitions; do
    for filter in rocksdb-bloom bloom ribbon; do
      for rounded in 0 1; do
        for preloaded in "" "$jemalloc"; do
          for allocator in new aligned; do
            LD_PRELOAD=$preloaded $program $filter $shape $allocator $rounded |
              awk -v setup="$filter $shape $rounded ${preloaded:+jemalloc} $allocator" '{
                of = (setup ~ /jemalloc/ ? "jemalloc" : "glibc") (setup ~ /aligned/ ? ", aligned" : "")
                name = (setup ~ /^rocksdb/ ? "RocksDB\047s " : "our ") (setup ~ /bloom/ ? "Bloom" : "Ribbon") \
                  (setup ~ /partitions/ ? ", partitions" : "") (setup ~ / 1 / ? ", option" : "")
                printf "%s\t%s\tresident\t%s\t\t\n%s\t%s\tcharged\t%s\t\t\n", of, name, $4, of, name, $3
              }'
          done
        done
      done
    done
  done
} | tee "$work/results"
publish "$work/results"
