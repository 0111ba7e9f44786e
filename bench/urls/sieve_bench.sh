#!/bin/bash
# `make measure-sieve`: compares `oneline sieve` with awk '!seen[$0]++' and sort -u, on the
# paths of the Debian archive and on 20 million generated URLs, half of them
# duplicates. Prints a table of speed and peak memory for each input. Ends with an
# error if an output is wrong.
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
rounds=${1:-3}
lines=${2:-0}
cd "$(dirname "$0")/../.."
. bench/report/begin.sh
must_be_numbers "$rounds" "$lines"
need_programs //tools:oneline //bench/urls:crawled_urls
oneline=$ONELINE_PROGRAMS/tools/oneline
fp_rate=0.0001
export TMPDIR=$work # for sort

# NAME COMMAND...: runs the command on the input and records its time and memory.
# Its output is in $work/out.
measure() {
  echo "round $round of $rounds: $1 ..." >&2
  /usr/bin/time -q -f '%e %M' -o "$work/time" "${@:2}" <"$work/input" >"$work/out" || fail "$1 failed"
  read -r seconds kilobytes <"$work/time"
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$round" "$seconds" "$kilobytes" "$(wc -l <"$work/out")" >>"$work/figures"
}

must_be_same() {
  cmp -s "$2" "$3" || fail "$1: the output is wrong"
}

# NAME EXPECTED OUTPUT: fails unless OUTPUT is EXPECTED with some lines missing, at
# most as many as false positives explain within six standard deviations.
must_be_most() {
  awk -v expected="$2" -v rate=$fp_rate '
    {
      do {
        if ((getline line <expected) <= 0) {
          foreign = 1
          exit
        }
        ++passed
      } while (line "" != $0 "")
    }
    END {
      while ((getline line <expected) > 0) ++passed
      mean = passed * rate
      exit foreign || passed - NR > mean + 6 * sqrt(mean)
    }' "$3" || fail "$1: the output is wrong"
}

# Runs all programs on $work/input once. The output of awk is the expected one.
run_round() {
  measure 'awk' awk '!seen[$0]++'
  if [ "$round" = 1 ]; then
    mv "$work/out" "$work/expected"
    LC_ALL=C sort -o "$work/expected_sorted" "$work/expected"
    different=$(wc -l <"$work/expected")
  else
    must_be_same awk "$work/expected" "$work/out"
  fi
  if has_gawk; then
    measure gawk gawk '!seen[$0]++'
    must_be_same gawk "$work/expected" "$work/out"
  fi
  measure "sieve --capacity=$different" "$oneline" sieve --capacity="$different" --fp_rate=$fp_rate
  must_be_most 'sieve --capacity' "$work/expected" "$work/out"
  measure 'sieve --db' "$oneline" sieve --db="$work/db"
  must_be_same 'sieve --db' "$work/expected" "$work/out"
  rm -r "$work/db"
  measure 'sieve --db --memory=64MB' "$oneline" sieve --db="$work/db" --memory=64MB
  must_be_same 'sieve --db --memory' "$work/expected" "$work/out"
  rm -r "$work/db"
  measure 'LC_ALL=C sort -u' env LC_ALL=C sort -u
  must_be_same 'sort -u' "$work/expected_sorted" "$work/out"
  if [ "$collation" != C ] && [ "$collation" != POSIX ]; then
    measure "LC_ALL=$collation sort -u" sort -u
    # This locale takes different lines for equal, so the output is not compared.
  fi
}

has_gawk() {
  command -v gawk >/dev/null && [ "$awk" != gawk ]
}

# TITLE: prints the median (min-max) of lines/s, the maximum of memory, and the
# median over the rounds of the ratio to awk.
print_table() {
  awk -F '\t' -v OFS='\t' -v OFMT=%.15g -v lines="$(wc -l <"$work/input")" -v title="$1" '{
    speed = lines / ($3 > 0 ? $3 : 0.01)
    if ($1 == "awk") speed_of_awk = speed
    print title, $1, "lines/s", speed
    print title, $1, "x awk", speed / speed_of_awk
    print title, $1, "peak MB", $4 / 1024
    print title, $1, "lines written", $5
  }' "$work/figures" | awk -f bench/report/medians.awk >"$work/medians"
  awk -F '\t' -v results="$work/results" '
    BEGIN { printf "%-28s%30s%10s%12s%12s%14s\n", "", "lines/s", "x awk", "peak MB", "of awk", "lines written" }
    $3 == "lines/s" {
      spread = sprintf("%.0f (%.0f-%.0f)", $4, $5, $6)
      speeds = sprintf("%.0f\t%.0f\t%.0f", $4, $5, $6)
    }
    $3 == "x awk" { ratio = $4; ratios = sprintf("%.2f\t%.2f\t%.2f", $4, $5, $6) }
    $3 == "peak MB" { peak = $6 }
    $3 == "lines written" {
      if ($2 == "awk") { peak_of_awk = peak; written_by_awk = $4 }
      printf "%-28s%30s%10.2f%12.1f%12s%14d\n", $2, spread, ratio, peak, sprintf("1/%.1f", peak_of_awk / peak), $4
      of = $1 "\t" $2
      sub(/=[0-9]+$/, "", of)
      printf "%s\tlines/s\t%s\n%s\tx awk\t%s\n", of, speeds, of, ratios >>results
      printf "%s\tpeak MB\t%.1f\t\t\n", of, peak >>results
      printf "%s\tnew lines lost\t%d\t\t\n", of, written_by_awk - $4 >>results
    }' "$work/medians"
}

# TITLE: runs all rounds on $work/input and prints the table.
compare() {
  : >"$work/figures"
  for ((round = 1; round <= rounds; ++round)); do run_round; done
  echo
  echo "$1: $(wc -l <"$work/input") lines, $different different, $(($(wc -c <"$work/input") / $(wc -l <"$work/input"))) bytes each"
  print_table "$1"
}

first_lines() {
  if [ "$lines" = 0 ]; then cat; else awk -v n="$lines" 'NR > n { exit } { print }'; fi
}

awk=$(basename "$(readlink -f "$(command -v awk)")")
collation=$(locale | sed -n 's/^LC_COLLATE="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p')
bench/report/machine.sh "make measure-sieve; $rounds rounds, least and most beside medians; awk is $awk; locale ${collation:-C}" >"$work/results"
expand -t 22 "$work/results"
echo "median (min-max); --capacity is the number of different lines"

paths=$(bench/keys/debian_paths.sh)
{ cut -f 1 "$paths" || [ "$lines" != 0 ]; } | first_lines >"$work/input"
compare 'Debian paths'
"$ONELINE_PROGRAMS/bench/urls/crawled_urls" "$([ "$lines" = 0 ] && echo 20000000 || echo "$lines")" >"$work/input"
compare 'generated URLs'
publish "$work/results"
