#!/bin/sh
# Builds everything with GCC and with Clang, runs every test, once with
# assertions and once under each sanitizer, and ends with the line
# `N passed, N failed`: the test cases of all runs, and each build that fails.
# Usage: run.sh [RUN...] [//TARGET...]
#
#   checked    builds everything with GCC, and runs all tests
#   asan       builds everything with Clang, AddressSanitizer and
#              UndefinedBehaviorSanitizer, and runs the tests; without those
#              tagged no_asan
#   tsan       runs those tagged threads, with Clang and ThreadSanitizer
#
# Without a RUN, all; without a target, everything. For the tags see folder_tests
# in oneline.bzl.
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
[ -n "$runs" ] || runs='checked asan tsan'
[ -n "$targets" ] || targets=//...
passed=0
failed=0
status=0

# LOGS CONFIG: a line every 25 seconds, until it is killed or the script ends.
# (Bazel's own lines of progress come the more seldom the longer it runs.)
tell_progress() {
  begun=$(date +%s)
  while sleep 25 >/dev/null && kill -0 $$; do
    echo "$2: $(($(date +%s) - begun)) s," \
      "$(find -L "$1" -name test.xml -newer "$started" | wc -l) runs finished"
  done
}

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

# What failed, and how, near the end of a long log; first the seed, which repeats
# it.
tell_failures() {
  find -L "$1" -name test.log -newer "$started" -exec awk '
    /^ONELINE_TEST_SEED/ { seed = $0 "\n" }
    /^\[ RUN  / { begun = $0 "\n" }
    /^-- Test timed out/ { printf "%s%s", seed, begun; left = 1 }
    /: Failure$|^SUMMARY: |^ERROR: / { printf "%s", seed; seed = ""; left = 30 }
    left-- > 0' {} + | cut -c 1-300
}

# CONFIG OPTION...
run_tests() {
  config=$1
  shift
  logs=$(bazel info --config="$config" bazel-testlogs 2>/dev/null)
  touch "$started"
  tell_progress "$logs" "$config" 2>/dev/null &
  telling=$!
  # Lines, in a terminal as in a log.
  bazel test --config="$config" "$@" --nocache_test_results --curses=no \
    --color=no --show_progress_rate_limit=20 --ui_event_filters=-info \
    $targets
  ended=$?
  kill $telling
  if [ "$ended" != 0 ]; then
    status=1
    tell_failures "$logs"
  fi
  count "$logs" "$config"
}

started=$(mktemp)
trap 'rm -f "$started"' EXIT
for run in $runs; do
  case $run in
    checked) run_tests checked ;;
    asan)
      run_tests asan --test_tag_filters=-no_asan --build_tag_filters=-no_asan
      ;;
    tsan) run_tests tsan --test_tag_filters=threads --build_tests_only ;;
    *)
      echo "error: $run is none of checked, asan, tsan" >&2
      exit 2
      ;;
  esac
done
if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
if [ "$passed" = 0 ]; then status=1; fi
echo "$passed passed, $failed failed"
exit $status
