#!/bin/sh
# Runs the tests of bytes and answers, and of `oneline size`, on processors that
# qemu-user emulates, and ends with the line `N passed, N failed`. Compiles the two
# files of `make amalgamation` for them.
# Usage: run.sh arm64|s390x|x86-features [TEST...]
#
# TEST is a source that should be built and run alone, such as
# tests/table/block/kernels_test.cc, so that less can be asked for.
#
#   arm64         the NEON kernels; char has no sign
#   s390x         big-endian
#   x86-features  x86-64 processors that lack features our kernels use: a kernel
#                 that they can run is chosen, and no other code needs more than
#                 what every x86-64 processor has
#
# On an amd64 machine with Debian's packages. What is fetched and compiled is
# kept in ${XDG_CACHE_HOME:-~/.cache}/oneline. Exit code: 0; 1 if a test fails;
# 2 if one can't be built.
set -eu
cd "$(dirname "$0")/../.."
target=${1:-}
[ $# = 0 ] || shift

tests='tests/golden tests/table tests/filter_policy tests/tools/size'
# In each line a processor by its name in qemu, and the instruction set that must
# be chosen there.
case $target in
  arm64)
    cpu=aarch64
    processors='max neon'
    ;;
  s390x)
    cpu=s390x
    processors='max portable'
    ;;
  x86-features)
    cpu=x86_64
    tests='tests/golden tests/table/simd tests/table/block/kernels_test.cc
      tests/table/ribbon_solver/line_solver_test.cc tests/tools/size'
    processors='qemu64 portable
      max,-pclmulqdq portable
      Nehalem,+pclmulqdq pclmul
      max,-xsave pclmul
      max,-avx2 pclmul
      max,-bmi1,-bmi2 pclmul
      max,-popcnt pclmul
      max avx2'
    ;;
  *)
    sed -n 's/^# \(Usage.*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac

cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline
# A new release of the distribution has new compilers, for which the libraries of
# the old one may be too old.
out=$cache/cross-$target-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
emulator=qemu-$cpu
if [ "$target" = x86-features ]; then
  third_party/install.sh qemu-user
  prefix=
else
  third_party/install.sh qemu-user "g++-$cpu-linux-gnu"
  prefix=$cpu-linux-gnu-
  tests/cross/sysroot.sh "$target" "$out/sysroot"
  emulator="$emulator -L $out/sysroot"
fi

# Another checkout's objects may be newer than the sources of this one.
if [ "$(cat "$out/checkout" 2>/dev/null)" != "$PWD" ]; then
  rm -rf "$out/objects"
  mkdir -p "$out"
  echo "$PWD" >"$out/checkout"
fi
programs=$*
others=
if [ -z "$programs" ]; then
  # The memory of builders is measured where it can be, without an emulator.
  programs=$(find $tests -name '*_test.cc' | grep -v builder_memory_test | sort)
  others=$(echo tools/oneline.cc tools/models/*_gen.cc)
fi
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
  CXX="${prefix}g++" AR="${prefix}ar" SYSROOT="${prefix:+$out/sysroot}" \
  OUT="$out/objects" PROGRAMS="$(echo $programs $others)" \
  CPPFLAGS=-DONELINE_EMULATED # fewer samples, as under the sanitizers

# As whoever takes the two files compiles them.
if [ -n "$others" ]; then
  third_party/amalgamate.sh "$out/amalgamation"
  "${prefix}g++" ${prefix:+--sysroot="$out/sysroot"} -std=c++17 -O2 \
    -c "$out/amalgamation/oneline.cc" -o "$out/amalgamation/oneline.o" || exit 2
fi

# In this folder, what tests read and the programs that they run have the same
# paths as in the repository. A program is a script that starts the emulator,
# also if a test runs it, or itself once more.
run=$out/run
rm -rf "$run"
for file in $(find tests/golden docs table -type f); do
  mkdir -p "$run/${file%/*}"
  ln -s "$PWD/$file" "$run/$file"
done
for source in $programs $others; do
  program=${source%.cc}
  mkdir -p "$run/${program%/*}"
  printf '#!/bin/sh\nexec %s -cpu "$ONELINE_CPU" -0 "$0" "%s" "$@"\n' \
    "$emulator" "$out/objects/$program" >"$run/$program"
  chmod +x "$run/$program"
done
repository=$PWD
cd "$run"

results=$(mktemp)
trap 'rm -f "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# PROCESSOR SET: whether this set is chosen there. A set that does not exist is
# refused with the name of the one used instead, which is the one used without
# ONELINE_KERNEL.
check_set() {
  chosen=$(ONELINE_KERNEL=none tests/golden/test_vectors_test 2>&1 >/dev/null \
    </dev/null | sed -n 's/^oneline: ONELINE_KERNEL=none: .*; using \(.*\)/\1/p')
  if [ "$chosen" = "$2" ]; then
    echo "$1: kernels for $chosen: 1 passed, 0 failed"
  else
    echo "$1: kernels for ${chosen:-?} instead of $2: 0 passed, 1 failed"
  fi
}

{
  while read -r processor wanted; do
    export ONELINE_CPU="$processor"
    # Other tests take fewer samples here; the comparison of kernels does not.
    export ONELINE_TEST_LINES="${ONELINE_TEST_LINES:-500000}"
    # What the C library chooses for AVX2 is ten times slower when emulated.
    export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2
    [ -z "$others" ] || check_set "$processor" "$wanted"
    for source in $programs; do echo "${source%.cc}"; done |
      xargs -n 1 -P "$(nproc)" "$repository/tests/cross/run_test.sh"
  done <<END
$processors
END
} | tee "$results"
awk -f "$repository/tests/cross/add_up.awk" "$results"
