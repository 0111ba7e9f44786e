# Plots the tables of the report. Runs in their folder:
#   gnuplot -e "ribbon='oneline_ribbon_avx512'; bloom='oneline_bloom_avx2'" plots.gnuplot
# ribbon, bloom: our filters in the plots of lookups, each with one of its kernels,
# as filter_bench names them.

set terminal svg size 860,480 font 'sans-serif,13' background rgb 'white' noenhanced
set datafile separator '\t'
set grid lc rgb '#dddddd'
set key outside right top vertical Left reverse samplen 2
set border 3
set tics nomirror

# A filter has the same colour in all plots.
ours_ribbon = '#c0392b'; ours_bloom = '#e59866'
their_bloom = '#2471a3'; their_ribbon = '#1e8449'; grey = '#888888'
# RocksDB's filters as the distribution builds them, without AVX2, are lighter.
their_bloom_packaged = '#a9cce3'; their_ribbon_packaged = '#a9dfbf'

# The rows of a table that have the values `want`, which is
# 'column=value column=value' with + for a space.
rows(file, want) = sprintf("< awk -F'\t' -v OFS='\t' -v want='%s' 'NR == 1 { \
  n = split(want, pairs, \" \"); for (i = 1; i <= NF; ++i) at[$i] = i; next } \
  { for (i = 1; i <= n; ++i) { split(pairs[i], p, \"=\"); gsub(/\\+/, \" \", p[2]); \
    if ($at[p[1]] != p[2]) next } print }' %s", want, file)

set output 'rates.svg'
set title 'False-positive rate against memory'
set xlabel 'bits per key, stored'
set ylabel 'false-positive rate'
set logscale y
set format y '10^{%T}' 
set xrange [3:20.5]
set yrange [1e-7:0.3]
set ytics ('10 %%' 0.1, '1 %%' 1e-2, '0.1 %%' 1e-3, '0.01 %%' 1e-4, '0.001 %%' 1e-5, '0.0001 %%' 1e-6)
r(want) = rows('rates.tsv', want)
plot \
  r('what=theory filter=oneline_bloom') using 3:4 with lines lw 2 lc rgb ours_bloom title 'Bloom, theory', \
  r('what=measured filter=rocksdb_bloom') using 3:4 with points pt 6 ps 1.1 lc rgb their_bloom title "RocksDB's Bloom", \
  r('what=measured filter=oneline_bloom') using 3:4 with points pt 2 lc rgb ours_bloom title 'oneline bloom', \
  r('what=theory filter=oneline_ribbon') using 3:4 with lines lw 2 lc rgb ours_ribbon title 'oneline ribbon, theory', \
  r('what=measured filter=oneline_ribbon') using 3:4:5 with yerrorbars pt 7 ps 0.6 lc rgb ours_ribbon title 'oneline ribbon', \
  r('what=measured filter=rocksdb_ribbon') using 3:($4 > 0 ? $4 : NaN):5 with yerrorbars pt 4 ps 0.8 lc rgb their_ribbon title "RocksDB's Ribbon", \
  r('what=limit filter=one+line') using 3:4 with lines dt 2 lw 2 lc rgb 'black' title 'limit for one line', \
  r('what=limit filter=any+filter') using 3:4 with lines dt 3 lw 2 lc rgb grey title 'limit for any filter'
if (exists('rates_alone')) exit

# Columns of filters.tsv: what, bits, kilobytes, offset, filter, quantity, median and
# quartiles; builds have no offset.
f(pattern) = sprintf("< grep -P '%s' filters.tsv", pattern)
unset yrange; unset xrange; unset ytics; set ytics nomirror; unset format; set format y '%g'
set autoscale
set logscale xy
set xlabel 'size of the filter'
set ylabel 'ns for a key'
set xtics ('16 KB' 16, '128 KB' 128, '1 MB' 1024, '20 MB' 20480, '400 MB' 409600, "\n1 GB" 1048576)
set ytics (2, 5, 10, 20, 50, 100, 200, 500, 1000)
set yrange [4:*]
set xrange [12:1.4e6]
do for [what in 'absent present batch32 dependent_absent dependent_present'] {
  set output what.'.svg'
  set title (what eq 'absent' ? 'Lookup of an absent key' : what eq 'present' ? 'Lookup of a present key' : what eq 'batch32' ? 'Lookup of 32 absent keys at once' : what eq 'dependent_absent' ? 'Lookups of absent keys that wait for one another' : 'Lookups of present keys that wait for one another').', 10 bits per key'
  s(filter) = f(sprintf('^%s\t10 bits\t\d+ KB\toffset 0\t%s\tns\t', what, filter)).' | sort -k4,4n'
  plot \
    s(ribbon) using 3:7:8:9 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_ribbon title 'oneline ribbon', \
    s(bloom) using 3:7:8:9 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_bloom title 'oneline bloom', \
    s('rocksdb_avx2_bloom') using 3:7:8:9 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_bloom title "RocksDB's Bloom, AVX2", \
    s('rocksdb_avx2_ribbon') using 3:7:8:9 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_ribbon title "RocksDB's Ribbon, AVX2", \
    s('rocksdb_bloom') using 3:7:8:9 with yerrorlines pt 7 ps 0.4 lc rgb their_bloom_packaged title "RocksDB's Bloom, packaged", \
    s('rocksdb_ribbon') using 3:7:8:9 with yerrorlines pt 7 ps 0.4 lc rgb their_ribbon_packaged title "RocksDB's Ribbon, packaged"
}

set output 'build.svg'
set title 'Building a filter of 1 MB'
set xlabel 'bits per key'
set ylabel 'ns for a key'
unset logscale x
unset xtics; set xtics 2 nomirror
set xrange [3:21]
b(filter) = f(sprintf('^build\t\d+ bits\t1024 KB\t%s\tns\t', filter)).' | sort -k2,2n'
plot \
  b('oneline_ribbon') using 2:6:7:8 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_ribbon title 'oneline ribbon', \
  b('oneline_bloom') using 2:6:7:8 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_bloom title 'oneline bloom', \
  b('rocksdb_avx2_bloom') using 2:6:7:8 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_bloom title "RocksDB's Bloom, AVX2", \
  b('rocksdb_avx2_ribbon') using 2:6:7:8 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_ribbon title "RocksDB's Ribbon, AVX2", \
  b('rocksdb_bloom') using 2:6:7:8 with yerrorlines pt 7 ps 0.4 lc rgb their_bloom_packaged title "RocksDB's Bloom, packaged", \
  b('rocksdb_ribbon') using 2:6:7:8 with yerrorlines pt 7 ps 0.4 lc rgb their_ribbon_packaged title "RocksDB's Ribbon, packaged"

# Columns of databases.tsv: store keys value_bytes records reads workload filter
# quantity median lower upper. Plots the ratio of lookups of absent keys from disk,
# for each data set of RocksDB.
set output 'database.svg'
set title "Absent keys in RocksDB, blocks read from disk: throughput beside RocksDB's Bloom"
unset logscale y
set xlabel ''
set ylabel 'ratio'
unset ytics; set ytics nomirror
unset xtics; set xtics nomirror scale 0
set grid noxtics
set autoscale
set xrange [-0.6:*]
set yrange [0:*]
set bmargin 5
set style fill solid 0.9 noborder
d(filter) = rows('databases.tsv', 'store=RocksDB reads=disk workload=absent quantity=ratio filter='.filter)
label(keys, value, records) = sprintf("%s,\nvalues: %s,\n%.3g million", keys, value, records / 1e6)
plot \
  d('bloom') using 0:(0):xtic(label(stringcolumn(2), stringcolumn(3), column(4))) with dots lc rgb "white" notitle, \
  d('ribbon') using ($0 - 0.3):9:10:11:(0.18) with boxerrorbars lc rgb their_ribbon title "RocksDB's Ribbon", \
  d('oneline+bloom') using ($0 - 0.1):9:10:11:(0.18):xtic('') with boxerrorbars lc rgb ours_bloom title 'oneline bloom', \
  d('oneline+ribbon') using ($0 + 0.1):9:10:11:(0.18) with boxerrorbars lc rgb ours_ribbon title 'oneline ribbon', \
  1 with lines lw 2 lc rgb their_bloom title "RocksDB's Bloom"
