#!/bin/bash
# `make measure-instructions`: how many instructions of an arm64 processor with NEON a key
# takes in our filters and in RocksDB's. The emulator executes one at a time, with a
# line for each. A count is the difference between two runs, one with twice the keys,
# without what it takes to make the keys. It is the same in every run; how long an
# instruction takes it does not tell.
#
# Environment: FIGURES=FILE also writes the results in the form of
# docs/internals/figures/.
set -euo pipefail
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
third_party/install.sh qemu-user g++-aarch64-linux-gnu
# The folder and the libraries are also those of tests/cross/run.sh.
out=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/cross-arm64-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
tests/cross/sysroot.sh arm64 "$out/sysroot"
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
  CXX=aarch64-linux-gnu-g++ AR=aarch64-linux-gnu-ar SYSROOT="$out/sysroot" \
  OUT="$out/bench" PROGRAMS=bench/filters/counted_work.cc \
  CPPFLAGS='-DNDEBUG -U_GLIBCXX_ASSERTIONS' >&2
bench/report/machine.sh "make measure-instructions" |
  grep -e '^date' -e '^command' -e '^system' -e '^compiler' -e '^oneline' >"$work/results"

# executed POLICY WORK KEYS
executed() {
  qemu-aarch64 -L "$out/sysroot" -singlestep -d exec,nochain -D /dev/stderr \
    "$out/bench/bench/filters/counted_work" "$@" 2>&1 >/dev/null |
    grep -c '^Trace '
}

# per_key POLICY WORK
per_key() {
  case $2 in
    # Many filters: RocksDB's Ribbon tries again with chance one half.
    build) keys=128000 ;;
    *) keys=640 ;;
  esac
  echo "$(executed "$@" $((2 * keys))) $(executed "$@" $keys) $keys" |
    awk '{ print ($1 - $2) / $3 }'
}

making=$(per_key oneline:10 keys)
# column FILTER BITS POLICY
column() {
  for what in build absent present batch; do
    count=$(per_key "$3" $what |
      awk -v making="$making" '{ printf "%.0f", $1 - making }')
    printf '%s, %s bits per key\t%s\tinstructions\t%s\t\t\n' \
      $what "$2" "$1" "$count" | tee -a "$work/results"
  done
}

# RocksDB's Ribbon is given the bits of a Bloom filter with as few false positives;
# with these it stores 10 and 7.
while read -r bits ribbon; do
  column "our Ribbon" "$bits" "{id=oneline;bits_per_key=$bits;hash_seed=1}"
  column "RocksDB's Ribbon" "$bits" "ribbonfilter:$ribbon:-1"
  column "RocksDB's Bloom" "$bits" "bloomfilter:$bits:false"
done <<END
10 14.7
7 10
END
publish "$work/results"
