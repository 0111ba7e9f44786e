#!/bin/sh
# `make instructions`: how many instructions a key takes in our filters and in
# RocksDB's, on emulated processors: arm64 with NEON, and x86-64 with PCLMULQDQ and
# without AVX2, which there are to time, too. The emulator executes one instruction
# at a time, with a line for each. A count is the difference between two runs, one
# with twice the keys, without what it takes to make the keys. It is the same in
# every run; how long an instruction takes it does not tell.
#
# Environment: FIGURES=FILE also writes the results in the form of
# docs/internals/figures/.
set -eu
cd "$(dirname "$0")/../.."
third_party/install.sh qemu-user g++-aarch64-linux-gnu
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline
work=$(mktemp)
trap 'rm -f "$work"' EXIT
bench/report/machine.sh "make instructions" |
  grep -e '^date' -e '^command' -e '^system' -e '^compiler' -e '^oneline' >"$work"

# executed POLICY WORK KEYS
executed() {
  $emulator -singlestep -d exec,nochain -D /dev/stderr \
    "$out/bench/bench/filters/counted_work" "$@" 2>&1 >/dev/null |
    grep -c '^Trace '
}

# per_key POLICY WORK
per_key() {
  case $2 in
    build) keys=4000 ;;
    *) keys=640 ;;
  esac
  echo "$(executed "$@" $((2 * keys))) $(executed "$@" $keys) $keys" |
    awk '{ print ($1 - $2) / $3 }'
}

# column FILTER BITS POLICY
column() {
  for what in build absent present batch; do
    count=$(per_key "$3" $what |
      awk -v making="$making" '{ printf "%.0f", $1 - making }')
    printf '%s, %s bits per key\t%s\t%s\t%s\t\t\n' \
      $what "$2" "$1" "$processor" "$count" | tee -a "$work"
  done
}

# count_all: of this processor, compiler prefix, emulator, kernel.
count_all() {
  make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
    CXX="${prefix}g++" AR="${prefix}ar" SYSROOT="${prefix:+$out/sysroot}" \
    OUT="$out/bench" PROGRAMS=bench/filters/counted_work.cc \
    CPPFLAGS='-DNDEBUG -U_GLIBCXX_ASSERTIONS' >&2
  making=$(per_key oneline:10 keys)
  # RocksDB's Ribbon is given the bits of a Bloom filter with as few false
  # positives; with these it stores 10 and 7.
  while read -r bits ribbon; do
    export ONELINE_KERNEL=$kernel
    column "our Ribbon" "$bits" "{id=oneline;bits_per_key=$bits;hash_seed=1}"
    unset ONELINE_KERNEL
    column "RocksDB's Ribbon" "$bits" "ribbonfilter:$ribbon:-1"
    column "RocksDB's Bloom" "$bits" "bloomfilter:$bits:false"
  done <<END
10 14.7
7 10
END
}

# The folder and the libraries are also those of tests/cross/run.sh.
out=$cache/cross-arm64-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
tests/cross/sysroot.sh arm64 "$out/sysroot"
processor=arm64 prefix=aarch64-linux-gnu- kernel=neon
emulator="qemu-aarch64 -L $out/sysroot"
count_all
out=$cache/instructions
processor=x86-64 prefix= kernel=pclmul
emulator='qemu-x86_64 -cpu Nehalem,+pclmulqdq'
count_all
[ -z "${FIGURES:-}" ] || cp "$work" "$FIGURES"
