# Plots false positives by memory, from docs/internals/figures/kinds.tsv, as docs/images/by_level.svg.

set terminal svg size 760,420 font 'sans-serif,13' background rgb 'white' noenhanced
set datafile separator '\t'
set grid lc rgb '#dddddd'
set key outside right top vertical Left reverse samplen 2
set border 3
set tics nomirror

# Bits per key and false positives of a filter.
r(filter) = sprintf("< awk -F'\t' -v OFS='\t' -v filter=\"%s\" '$1 ~ /bits per key$/ && $2 == filter { v[$3] = $4 } $1 ~ /bits per key$/ && $2 == filter && $3 == \"bits per key\" { print $4, v[\"false positives in 1000\"] }' docs/internals/figures/kinds.tsv", filter)

set output 'docs/images/by_level.svg'
set title 'False positives in 1000 lookups of absent keys, six filters asked'
set xlabel 'bits per key, stored'
set logscale y
set xrange [5.5:14.5]
set ytics ('100' 100, '30' 30, '10' 10, '3' 3, '1' 1, '0.3' 0.3, '0.1' 0.1)
plot \
  r("RocksDB's Bloom") with linespoints lw 2 pt 6 lc rgb '#2471a3' title "RocksDB's Bloom", \
  r("RocksDB's Bloom, by level") with linespoints lw 2 dt 2 pt 7 lc rgb '#2471a3' title '  by level (the header)', \
  r("RocksDB's Ribbon") with linespoints lw 2 pt 6 lc rgb '#1e8449' title "RocksDB's Ribbon", \
  r("RocksDB's Ribbon, by level") with linespoints lw 2 dt 2 pt 7 lc rgb '#1e8449' title '  by level (the header)', \
  r("ours") with linespoints lw 2 pt 6 lc rgb '#c0392b' title 'ours', \
  r("ours, by level") with linespoints lw 2 dt 2 pt 7 lc rgb '#c0392b' title '  by level, the default'
