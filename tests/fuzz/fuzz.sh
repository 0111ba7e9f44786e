#!/bin/sh
# Builds the fuzz targets of this folder with Clang's libFuzzer, AddressSanitizer
# and UBSan, runs each for SECONDS, and ends with the line `N passed, N failed`.
#
# Usage: fuzz.sh [SECONDS [TARGET [INPUT]]]
#
#   SECONDS  60
#   TARGET   a file here, without _fuzz.cc; all of them
#   INPUT    a file: the target runs it alone, once
#
# What is built, the inputs that reached new code, and those that failed are kept
# in ${XDG_CACHE_HOME:-~/.cache}/oneline/fuzz.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
wanted=${2:-}
input=${3:-}
targets=$(cd tests/fuzz && ls -- *_fuzz.cc | sed 's/_fuzz\.cc$//')
case $seconds in
  0 | *[!0-9]*)
    echo "usage: make check-fuzz [SECONDS=60] [TARGET=name [INPUT=file]]" >&2
    exit 2
    ;;
esac
if [ -n "$wanted" ] && [ ! -f "tests/fuzz/${wanted}_fuzz.cc" ]; then
  echo "error: TARGET=$wanted: must be one of" $targets >&2
  exit 2
fi
if [ -n "$input" ] && { [ -z "$wanted" ] || [ ! -r "$input" ]; }; then
  echo "error: INPUT=$input: must be a file, with the TARGET that reads it" >&2
  exit 2
fi
targets=${wanted:-$targets}

third_party/install.sh clang libclang-rt-dev llvm
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/fuzz
mkdir -p "$cache/corpus" "$cache/failed"
# Another checkout's objects may be newer than the sources of this one.
if [ "$(cat "$cache/checkout" 2>/dev/null)" != "$PWD" ]; then
  rm -rf "$cache/build"
  echo "$PWD" >"$cache/checkout"
fi
programs=
for target in $targets; do programs="$programs tests/fuzz/${target}_fuzz.cc"; done
sanitizers='-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'
make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" \
  CXX="clang++ -g $sanitizers -fno-omit-frame-pointer" AR=ar \
  OUT="$cache/build" PROGRAMS="$(echo $programs)"

# In memory, if there is such a folder: some targets write a file for each input.
shm=/dev/shm
[ -w $shm ] || shm=${TMPDIR:-/tmp}
TEST_TMPDIR=$(mktemp -d "$shm/oneline-fuzz.XXXXXX")
export TEST_TMPDIR
trap 'rm -rf "$TEST_TMPDIR"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# TARGET ARGUMENT...: runs a target for its time.
run_target() {
  mkdir -p "$cache/corpus/$1"
  "$cache/build/tests/fuzz/${1}_fuzz" -max_total_time="$seconds" -timeout=120 \
    -print_final_stats=1 -artifact_prefix="$cache/failed/$1-" \
    "$cache/corpus/$1" "tests/fuzz/seeds/${1}_fuzz" >"$cache/$1.log" 2>&1
}

if [ -n "$input" ]; then
  "$cache/build/tests/fuzz/${wanted}_fuzz" "$input"
  exit
fi
passed=0
failed=0
for target in $targets; do
  log=$cache/$target.log
  if run_target "$target"; then
    passed=$((passed + 1))
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
      "inputs, $(ls "$cache/corpus/$target" | wc -l) of them kept"
    continue
  fi
  failed=$((failed + 1))
  echo "$target: FAILED; its output is in $log"
  grep -a -m 2 -e '^does not hold' -e 'ERROR:' -e 'runtime error' \
    -e '^terminate called' "$log" || true
  file=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  [ -z "$file" ] || echo "  to run it again: make check-fuzz TARGET=$target INPUT=$file"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
