#!/bin/sh
# Plants the faults of the lists in this folder, one after the other, in a copy of the tree and runs the tests of
# their part there. Prints a line for each fault, those that survive, and a table by part with the line
# `N caught, N survived`. Exit code: 0; 1 if a fault survives; 2 if one can't be planted or compiled.
# Usage: run.sh [--check] [PART...]
#
# With --check only says which can't be planted: `make test` does that for all lists.
#
# A part is a list PART.txt. `tests` names the targets for the faults that follow it; a fault is three lines:
#
#   FILE: what it breaks
#   - text of one line of FILE that stands nowhere else in it
#   + text to stand there instead, or nothing
#
# `needs`, after `tests`, names a flag of /proc/cpuinfo: without it these faults are skipped. `through`, after `tests`,
# names a command that runs the tests in place of Bazel, in the copy: neon.txt goes through tests/cross/run.sh, which
# emulates an arm64 processor. Its exit code is 1 if a test fails, and another one if it can't run them. What is built is
# kept in ${XDG_CACHE_HOME:-~/.cache}/oneline/mutants, for arm64 beside it, where the first run takes ten minutes.
set -eu
cd "$(dirname "$0")/../.."
check=
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi
lists=$(cd tests/mutants && echo *.txt)
parts=${*:-$(echo "$lists" | sed 's/\.txt//g')}
for part in $parts; do
  [ -f "tests/mutants/$part.txt" ] || {
    echo "error: PART=$part: $part.txt is none of $lists" >&2
    exit 2
  }
done

# Prints the faults of all parts as lines: part, command, targets, file, what, old text and new text, with tabs between.
list_faults() {
  for part in $parts; do
    awk -v part="$part" -v flags="$(sed -n '/^flags/{p;q}' /proc/cpuinfo)" '
      function wrong() {
        printf "error: tests/mutants/%s.txt:%d: %s\n", part, FNR, $0 >"/dev/stderr"
        what = ""
        exit 2
      }
      /^#/ || /^$/ { next }
      /^tests / { tests = substr($0, 7); needed = ""; through = "bazel"; next }
      /^needs / { needed = $2; next }
      /^through / { through = substr($0, 9); next }
      /^- / && what != "" { old = substr($0, 3); next }
      /^\+/ && old != "" {
        if (needed == "" || index(flags " ", " " needed " ") > 0)
          printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", part, through, tests, file, what, old, substr($0, 3)
        else
          printf "skipped, needs %s: %s: %s\n", needed, file, what >"/dev/stderr"
        what = old = ""
        next
      }
      match($0, /^[^ ]+: /) && what == "" && tests != "" {
        file = substr($0, 1, RLENGTH - 2)
        what = substr($0, RLENGTH + 1)
        next
      }
      { wrong() }
      END { if (what != "") wrong() }' "tests/mutants/$part.txt"
  done
}

# FILE OLD NEW: prints FILE with the fault. Fails unless OLD stands there exactly once.
plant() {
  OLD=$2 NEW=$3 awk '
    BEGIN { old = ENVIRON["OLD"] }
    at = index($0, old) {
      n += 1 + (index(substr($0, at + 1), old) > 0)
      $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(old))
    }
    { print }
    END { exit n != 1 }' "$1"
}

tab=$(printf '\t')
faults=$(mktemp)
trap 'rm -f "$faults"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
list_faults >"$faults"
wrong=0
while IFS=$tab read -r part command tests file what old new; do
  plant "$file" "$old" "$new" >/dev/null 2>&1 || {
    echo "error: $part: $file: $what: does not apply: $old" >&2
    wrong=1
  }
done <"$faults"
[ $wrong = 0 ] || exit 2
[ -z "$check" ] || exit 0

cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/mutants
tree=$cache/tree
log=$cache/log
results=$cache/results
original=$cache/original
mkdir -p "$cache"
exec 9>"$cache/lock"
flock -n 9 || {
  echo "error: another run has the copy in $cache" >&2
  exit 2
}

# COMMAND TARGET...: runs the tests in the copy, by Bazel up to the first that fails; one that hangs ends
# after five minutes. They take as few samples as on an emulated processor: a fault that these catch is caught by all.
# Exit code as Bazel's: 0 all passed, 3 one did not, another if something does not compile.
test_copy() {
  command=$1
  shift
  code=0
  # shellcheck disable=SC2086  # no words or several
  if [ "$command" = bazel ]; then
    (cd "$tree" && bazel --output_base="$cache/bazel" --max_idle_secs=600 test --config=plain --build_tests_only \
      "--per_file_copt=(^|/bin/)tests/@-DONELINE_EMULATED" --notest_keep_going --test_env=GTEST_FAIL_FAST=1 \
      --test_timeout=300 "$@") >"$log" 2>&1 </dev/null 9>&- ||
      code=$?
  else
    (cd "$tree" && $command "$@") >"$log" 2>&1 </dev/null 9>&- || code=$?
    [ $code != 1 ] || code=3
  fi
  return $code
}

# The copy, without what Git and Bazel keep here.
rm -rf "$tree"
mkdir -p "$tree"
# As new as now: an object for arm64 that a fault has left is older.
tar -c --exclude=./.git --exclude='./bazel-*' --exclude=./bench/out . | tar -xm -C "$tree"

# Without a fault all tests must pass: otherwise they would catch anything.
echo "$(wc -l <"$faults") faults; first the tests without any"
cut -f 2 "$faults" | sort -u | while IFS= read -r command; do
  test_copy "$command" $(awk -F '\t' -v command="$command" '$2 == command { print $3 }' "$faults" | tr ' ' '\n' | sort -u) ||
    exit 1
done || {
  tail -n 30 "$log" >&2
  echo "error: tests fail without a fault; see $log" >&2
  exit 2
}

: >"$results"
number=0
while IFS=$tab read -r part command tests file what old new; do
  number=$((number + 1))
  start=$(date +%s)
  # From the copy: the tree may change meanwhile.
  mv "$tree/$file" "$original"
  plant "$original" "$old" "$new" >"$tree/$file"
  code=0
  test_copy "$command" $tests || code=$?
  case $code in
    0) result=survived ;;
    3)
      result=caught
      ! grep -q 'TIMEOUT in' "$log" || what="$what (by the time limit)"
      ;;
    *)
      result=error
      grep -m 3 'error:' "$log" >&2 || tail -n 3 "$log" >&2
      ;;
  esac
  cp "$original" "$tree/$file"
  printf '%s\t%s\t%s: %s\n' "$part" $result "$file" "$what" >>"$results"
  printf '%3d %-8s %-10s %s: %s (%d s)\n' $number $result "$part" "$file" "$what" $(($(date +%s) - start))
done <"$faults"

awk -F '\t' '
  !($1 in seen) { seen[$1] = 1; parts[++n] = $1 }
  { count[$1, $2]++; all[$2]++ }
  $2 != "caught" { print ($2 == "error" ? "does not compile: " : "survived: ") $3 }
  END {
    printf "\n%-12s %8s %8s\n", "part", "caught", "survived"
    for (i = 1; i <= n; i++)
      printf "%-12s %8d %8d\n", parts[i], count[parts[i], "caught"], count[parts[i], "survived"]
    printf "%d caught, %d survived\n", all["caught"], all["survived"]
    exit all["error"] ? 2 : all["survived"] ? 1 : 0
  }' "$results"
