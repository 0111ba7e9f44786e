#!/bin/bash
# `make report`: measures everything that `make bench` does, then writes the page bench/out/report.html
# with the tables and plots, which needs no other file.
# Usage: report.sh full|quick|tiny|again [OUT]
#   again   writes the page from the results of the last run
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "${2:-bench/out}")
if [ "${1:-}" != again ]; then
  bench/report/bench.sh "${1:-}" "$out"
fi
# KIND: our filter with the kernel that this machine chooses. Filters of 16 KB are measured with no other.
usual() { awk -F'\t' -v name="our $1, " '$1 == "absent key, 16 KB" && index($2, name) == 1 { print $2; exit }' "$out/figures.tsv"; }
plots=$PWD/bench/report/plots.gnuplot
(cd "$out" && gnuplot -e "ribbon='$(usual Ribbon)'; bloom='$(usual Bloom)'" "$plots")

# FILE: a table as it was printed.
table() {
  echo '<pre>'
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$out/$1" | expand -t 22
  echo '</pre>'
}

# NAME: the plot, without its XML declaration. Names of elements must be unique on the page.
plot() {
  echo '<figure>'
  sed -n '/<svg/,$p' "$out/$1.svg" |
    sed "s/gnuplot_plot_/$1_plot_/g; s/gpPt/$1_point_/g; s/gpDot/$1_dot/g"
  echo '</figure>'
}

page() {
  cat <<'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>oneline: filters compared</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
h1, h2 { line-height: 1.2 }
pre { font: 12px/1.45 monospace; overflow-x: auto }
figure { margin: 1em 0 }
svg { max-width: 100%; height: auto }
</style></head><body>
<h1>Filters compared</h1>
END
  table machine.txt
  cat <<'END'
<p>Filters take turns in all measurements. Figures are medians, with quartiles in parentheses. All
filters of a comparison have the same size. All answers were checked, and all databases of a comparison
have the same tree and the same number of filter checks.</p>
<h2>Filters in databases</h2>
END
  plot database
  cat <<'END'
<p>Ratios are to RocksDB's Bloom filter in the same round. p50 and p99 are of single calls, on one
thread; a call of MultiGet has 32 keys. False positives are wasted reads of data blocks; with all data
in the cache nothing is read, and one costs a search in a block.</p>
<p>Writing is to fill memtables and level 0, and compactions: in random order with a log, as most
applications do, or sorted and without a log, which is the fastest way to load.</p>
<details><summary>All measurements</summary>
END
  table databases.txt
  cat <<'END'
</details>
<h2>One budget for filters and data</h2>
<p>Blocks of all kinds that 1000 lookups read into a block cache of 1/4 to 1/100 of the data, which
also holds filters and indexes; keys by Zipf's law.</p>
END
  table budget.txt
  echo '<h2>Filters alone</h2>'
  for name in rates absent present build; do plot $name; done
  cat <<'END'
<p>ns per key; lookups include the time to make the key, which ratios leave out. Where a key waits for
the last answer, it is as in a database, which asks one filter after the other.</p>
<details><summary>All measurements</summary>
END
  table filters.txt
  echo '</details></body></html>'
}

page >"$out/report.html"
echo "report: $out/report.html"
