#!/bin/sh
# Builds everything with Clang too, runs every test, once with assertions and
# once under each sanitizer, and ends with the line `N passed, N failed`: the
# test cases of all runs, and the build with Clang as one.
# Usage: run.sh [RUN...] [//TARGET...]
#
#   clang      builds with Clang
#   programs   builds with GCC, also what no test needs
#   checked    runs all tests
#   asan       those not tagged no_asan, under AddressSanitizer
#   tsan       those tagged threads, under ThreadSanitizer
#
# Without a RUN, all but the second; without a target, everything. For the tags
# see folder_tests in oneline.bzl.
set -u
cd "$(dirname "$0")/.."
runs=
targets=
for word; do
  case $word in
    //*) targets="$targets $word" ;;
    *) runs="$runs $word" ;;
  esac
done
[ -n "$runs" ] || runs='clang checked asan tsan'
[ -n "$targets" ] || targets=//...
passed=0
failed=0
status=0

# Adds up what GoogleTest wrote about its cases; a program that died counts as
# one failure (Bazel then writes the report itself).
count() {
  eval "$(find -L "$1" -name test.xml -newer "$started" -exec \
    sed -n 's/.*<testsuites[^>]* tests="\([0-9]*\)" failures="\([0-9]*\)" disabled="\([0-9]*\)" errors="\([0-9]*\)".*/\1 \2 \3 \4/p;
            s/.*<testsuite [^>]*tests="1" failures="0" errors="1".*/1 0 0 1/p' {} + |
    awk '{ bad = $2 + $4; f += bad; p += $1 - $3 - bad }
         END { printf "run_passed=%d run_failed=%d", p, f }')"
  passed=$((passed + run_passed))
  failed=$((failed + run_failed))
  echo "$2: $run_passed passed, $run_failed failed"
}

# Counts as one test whether the command builds all targets.
build() {
  if "$@" --noshow_progress --ui_event_filters=-info $targets; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)) status=1
  fi
}

# CONFIG TAG
run_tests() {
  touch "$started"
  bazel test --config="$1" --test_tag_filters="$2" \
    --build_tests_only --nocache_test_results --noshow_progress \
    --ui_event_filters=-info $targets || status=1
  count "$(bazel info --config="$1" bazel-testlogs 2>/dev/null)" "$1"
}

started=$(mktemp)
trap 'rm -f "$started"' EXIT
for run in $runs; do
  case $run in
    clang) build env CC=clang bazel build --config=clang ;;
    programs) build bazel build --config=checked ;;
    checked) run_tests checked '' ;;
    asan) run_tests asan -no_asan ;;
    tsan) run_tests tsan threads ;;
    *)
      echo "error: $run is none of clang, programs, checked, asan, tsan" >&2
      exit 2
      ;;
  esac
done
if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
if [ "$passed" = 0 ]; then status=1; fi
echo "$passed passed, $failed failed"
exit $status
