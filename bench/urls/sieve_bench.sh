#!/bin/bash
# `make measure-sieve`: compares `oneline sieve` with awk '!seen[$0]++' and sort -u, on the paths of the Debian
# archive and on 20 million generated URLs, half of them duplicates: lines per second, also relative to awk, peak
# memory, and the new lines that a filter loses. Ends with an error if an output is wrong.
#
# Usage: sieve_bench.sh [ROUNDS [LINES]]
#   ROUNDS   how often all programs run, one after the other; default 3
#   LINES    only so many of each input, for a trial; default all
#
# Environment:
#   FIGURES=FILE                 also writes the results in the form of docs/internals/figures/
#   ONELINE_PROGRAMS=DIRECTORY   has the programs; without it they are built
#
# Needs 10 GB of disk under TMPDIR and, for awk, 4 GB of memory.
set -euo pipefail
rounds=${1:-3} lines=${2:-20000000}
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
must_be_numbers "$rounds" "$lines"
need_programs //tools:oneline //bench/urls:crawled_urls
oneline=$ONELINE_PROGRAMS/tools/oneline
fp_rate=0.0001

# NAME COMMAND...: runs the command on the input, into $work/out, and records its time and memory.
measure() {
  echo "round $round of $rounds: $1 ..." >&2
  /usr/bin/time -q -f '%e %M' -o "$work/time" "${@:2}" <"$work/input" >"$work/out" || fail "$1 failed"
  local seconds kilobytes
  read -r seconds kilobytes <"$work/time"
  [ "$1" != awk ] || seconds_of_awk=$seconds
  awk -v of="$title"$'\t'"$1" -v n="$(wc -l <"$work/input")" -v s="$seconds" -v awk="$seconds_of_awk" -v kb="$kilobytes" 'BEGIN {
    if (s == 0) s = 0.01
    if (awk == 0) awk = 0.01
    printf "%s\tlines/s\t%.0f\n%s\tx awk\t%.3f\n%s\tpeak MB\t%.1f\n", of, n / s, of, awk / s, of, kb / 1024
  }' >>"$work/measured"
}
must_be_same() { cmp -s "$2" "$work/out" || fail "$1: the output is wrong"; }

# The output must be what awk's is, without at most as many lines as false positives explain within six standard
# deviations.
must_be_most() {
  awk -v expected="$work/expected" -v rate=$fp_rate -v of="$title"$'\t'"$1" '
    {
      do if ((getline line <expected) <= 0) exit foreign = 1
      while (++all && line "" != $0 "")
    }
    END {
      while ((getline line <expected) > 0) ++all
      print of "\tnew lines lost\t" all - NR
      exit foreign || all - NR > all * rate + 6 * sqrt(all * rate)
    }' "$work/out" >>"$work/measured" || fail "$1: the output is wrong"
}

# Runs all programs on $work/input once. The output of awk is the expected one.
run_round() {
  measure awk awk '!seen[$0]++'
  mv "$work/out" "$work/expected"
  measure 'sieve --capacity' "$oneline" sieve --capacity="$(wc -l <"$work/expected")" --fp_rate=$fp_rate
  must_be_most 'sieve --capacity'
  measure 'sieve --db' "$oneline" sieve --db="$work/db"
  must_be_same 'sieve --db' "$work/expected"
  rm -r "$work/db"
  measure 'LC_ALL=C sort -u' sort -u
  sort -o "$work/sorted" "$work/expected"
  must_be_same 'sort -u' "$work/sorted"
}

# TITLE: runs all rounds on $work/input.
compare() {
  title=$1
  for ((round = 1; round <= rounds; ++round)); do run_round; done
  echo "$title: $(wc -l <"$work/input") lines, $(wc -l <"$work/expected") different"
}

begin_results "make measure-sieve; $rounds rounds, least and most beside medians; awk is $(basename "$(readlink -f "$(command -v awk)")")"
cut -f 1 "$(bench/keys/debian_paths.sh)" | awk -v n="$lines" 'NR <= n' >"$work/input"
compare 'Debian paths'
"$ONELINE_PROGRAMS/bench/urls/crawled_urls" "$lines" >"$work/input"
compare 'generated URLs'
add_results -v outer=0 "$work/measured"
publish
