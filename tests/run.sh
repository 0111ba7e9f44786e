#!/bin/sh
# Builds and runs the tests in one configuration after the other, and ends with
# the line `N passed, N failed`: the test cases of all runs, and each build that
# fails.
# Usage: run.sh [RUN...] [//TARGET...]
#
#   faults     whether each planted fault can still be planted
#   asan       Clang, AddressSanitizer and UndefinedBehaviorSanitizer, with
#              assertions: all tests but those tagged no_asan or slow
#   plain      those tagged no_asan, with Clang and assertions alone
#   checked    builds everything with GCC, and runs all tests
#   tsan       those tagged threads, with Clang and ThreadSanitizer
#   amalgamation   the policy as two files (tests/amalgamation/run.sh)
#   debian13   the same, and those that meet RocksDB as checked does, in a root
#              with Debian 13: RocksDB 9.10, GCC 14
#
# Without a RUN, the first three; without a target, all. For the tags see
# folder_tests in oneline.bzl.
set -u
cd "$(dirname "$0")/.." || exit
runs=
targets=
for word; do
  case $word in
    //*) targets="$targets $word" ;;
    *) runs="$runs $word" ;;
  esac
done
[ -n "$runs" ] || runs='faults asan plain'
passed=0
failed=0
# What meets RocksDB, and its versions.
with_rocksdb='//tests/filter_policy/... //tests/integration/...
  //tests/libraries/... //tests/pages/... //tests/tools/database/...
  //tests/tools/refilter/... //tests/tools/sst/... //tests/tools/verify/...'

# LOGS CONFIG: a line every 25 seconds, until it is killed or the script ends.
# (Bazel's own lines of progress come the more seldom the longer it runs.)
tell_progress() {
  begun=$(date +%s)
  while sleep 25 >/dev/null && kill -0 $$; do
    echo "$2: $(($(date +%s) - begun)) s," \
      "$(find -L "$1" -name test.xml -newer "$started" | wc -l) runs finished"
  done
}

# LOGS CONFIG FAILED: adds up what GoogleTest wrote about its cases; a program
# that died counts as one failure (Bazel then writes the report itself), and so
# does a run that failed without any.
count() {
  eval "$(find -L "$1" -name test.xml -newer "$started" -exec \
    sed -n 's/.*<testsuites[^>]* tests="\([0-9]*\)" failures="\([0-9]*\)" disabled="\([0-9]*\)" errors="\([0-9]*\)".*/\1 \2 \3 \4/p;
            s/.*<testsuite [^>]*tests="1" failures="0" errors="1".*/1 0 0 1/p' {} + |
    awk -v wrong="$3" '
      { bad = $2 + $4; f += bad; p += $1 - $3 - bad }
      END { printf "run_passed=%d run_failed=%d", p, f == 0 ? wrong : f }')"
  tell "$2" "$run_passed" "$run_failed"
}

# RUN PASSED FAILED
tell() {
  add "$2" "$3"
  echo "$1: $2 passed, $3 failed"
}

# PASSED FAILED
add() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# COMMAND...: adds up its last line, `N passed, N failed`.
add_last() {
  # tee would empty a log.
  last=$("$@" | awk '{ print >"/dev/stderr"; fflush("/dev/stderr") } END { print }')
  # shellcheck disable=SC2046  # two numbers
  case $last in
    *' passed, '*' failed') add $(echo "$last" | tr -dc '0-9 ') ;;
    *) add 0 1 ;;
  esac
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
  wrong=0
  # First those of the core, which are small.
  for part in "${targets:-//tests/table/...}" "${targets:+none}"; do
    [ "$part" != none ] || break
    # Lines, in a terminal as in a log.
    bazel test --config="$config" "$@" --nocache_test_results --curses=no \
      --color=no --show_progress_rate_limit=20 --ui_event_filters=-info \
      -- ${part:-//... -//tests/table/...}
    case $? in
      0 | 4) ;; # 4: there are no such tests
      *) wrong=1 ;;
    esac
  done
  kill $telling
  [ $wrong = 0 ] || tell_failures "$logs"
  count "$logs" "$config" $wrong
}

started=$(mktemp)
trap 'rm -f "$started"' EXIT
for run in $runs; do
  case $run in
    faults)
      if tests/mutants/run.sh --check; then tell faults 1 0; else tell faults 0 1; fi
      ;;
    asan) run_tests asan --test_tag_filters=-no_asan,-slow --build_tests_only ;;
    plain) run_tests plain --test_tag_filters=no_asan,-slow --build_tests_only ;;
    checked) run_tests checked ;;
    tsan) run_tests tsan --test_tag_filters=threads --build_tests_only ;;
    amalgamation) add_last tests/amalgamation/run.sh ;;
    debian13)
      add_last tests/cross/debian.sh trixie amalgamation checked \
        ${targets:-$with_rocksdb}
      ;;
    *)
      sed -n 's/^# \(Usage.*\)/\1/p' "$0" >&2
      exit 2
      ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
