#!/bin/sh
# Builds everything with Clang too, runs every test, once with assertions and
# once under each sanitizer, and ends with the line `N passed, N failed`: the
# test cases of all runs, and the build with Clang as one.
# AddressSanitizer runs all tests but those tagged no_asan, ThreadSanitizer those
# tagged threads: see folder_tests in oneline.bzl.
set -u
cd "$(dirname "$0")/.."
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

if CC=clang bazel build --config=clang --noshow_progress \
  --ui_event_filters=-info //...; then
  passed=1
else
  failed=1 status=1
fi

started=$(mktemp)
trap 'rm -f "$started"' EXIT
for run in checked, asan,-no_asan tsan,threads; do
  config=${run%,*}
  touch "$started"
  bazel test --config=$config --test_tag_filters="${run#*,}" \
    --build_tests_only --nocache_test_results --noshow_progress \
    --ui_event_filters=-info //... || status=1
  count "$(bazel info --config=$config bazel-testlogs 2>/dev/null)" "$config"
done
if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
if [ "$passed" = 0 ]; then status=1; fi
echo "$passed passed, $failed failed"
exit $status
