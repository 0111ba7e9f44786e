# Plots rates.tsv, of bench/filters/filter_rates, as rates.svg. Runs in their folder.

set terminal svg size 860,480 font 'sans-serif,13' background rgb 'white' noenhanced
set datafile separator '\t'
set grid lc rgb '#dddddd'
set key outside right top vertical Left reverse samplen 2
set border 3
set tics nomirror

ours_ribbon = '#c0392b'; ours_bloom = '#e59866'
their_bloom = '#2471a3'; their_ribbon = '#1e8449'; grey = '#888888'
# Lines of rates.tsv.
r(what, filter) = sprintf("< awk -F'\t' '$1 == \"%s\" && $2 == \"%s\"' rates.tsv", what, filter)

set output 'rates.svg'
set title 'False-positive rate against memory'
set xlabel 'bits per key, stored'
set ylabel 'false-positive rate'
set logscale y
set format y '10^{%T}' 
set xrange [3:20.5]
set yrange [1e-7:0.3]
set ytics ('10 %%' 0.1, '1 %%' 1e-2, '0.1 %%' 1e-3, '0.01 %%' 1e-4, '0.001 %%' 1e-5, '0.0001 %%' 1e-6)
plot \
  r('theory', 'oneline_bloom') using 3:4 with lines lw 2 lc rgb ours_bloom title 'Bloom, theory', \
  r('measured', 'rocksdb_bloom') using 3:4 with points pt 6 ps 1.1 lc rgb their_bloom title "RocksDB's Bloom", \
  r('measured', 'oneline_bloom') using 3:4 with points pt 2 lc rgb ours_bloom title 'oneline bloom', \
  r('theory', 'oneline_ribbon') using 3:4 with lines lw 2 lc rgb ours_ribbon title 'oneline ribbon, theory', \
  r('measured', 'oneline_ribbon') using 3:4:5 with yerrorbars pt 7 ps 0.6 lc rgb ours_ribbon title 'oneline ribbon', \
  r('measured', 'rocksdb_ribbon') using 3:($4 > 0 ? $4 : NaN):5 with yerrorbars pt 4 ps 0.8 lc rgb their_ribbon title "RocksDB's Ribbon", \
  r('limit', 'one line') using 3:4 with lines dt 2 lw 2 lc rgb 'black' title 'limit for one line', \
  r('limit', 'any filter') using 3:4 with lines dt 3 lw 2 lc rgb grey title 'limit for any filter'
