#!/bin/sh
# Runs a program of tests and says how many of its cases passed and failed, after
# its output if any failed. A program that died counts as one case that failed.
# Usage: run_test.sh PROGRAM
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
started=$(date +%s)
GTEST_BRIEF=1 "$1" >"$log" 2>&1
status=$?
passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log")
skipped=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log")
failed=$(grep -c '^\[  FAILED  \] .* ms)$' "$log")
if [ "$status" != 0 ]; then
  cat "$log"
  [ "$failed" != 0 ] || failed=1
fi
echo "$1: ${passed:-0} passed, $failed failed, ${skipped:-0} skipped," \
  "$(($(date +%s) - started)) s"

