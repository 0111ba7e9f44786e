# Plots the results of the report. Runs in their folder:
#   gnuplot -e "ribbon='our Ribbon, AVX-512'; bloom='our Bloom, AVX2'" plots.gnuplot
# ribbon, bloom: our filters in the plots of lookups, with the kernel that this machine chooses.

set terminal svg size 860,480 font 'sans-serif,13' background rgb 'white' noenhanced
set datafile separator '\t'
set grid lc rgb '#dddddd'
set key outside right top vertical Left reverse samplen 2
set border 3
set tics nomirror

# A filter has the same colour in all plots.
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
if (exists('rates_alone')) exit


# Lines of figures.tsv of one filter whose case begins so, with the number after that in the first
# column, KB where it is a size: number, median, and quartiles or the median again.
f(beginning, filter, quantity) = sprintf("< awk -F'\t' -v b='%s' -v f=\"%s\" -v q='%s' \
  'index($1, b) == 1 && $2 == f && $3 == q { split(substr($1, length(b) + 1), p, \" \"); \
    if (p[2] ~ /,$/) next; print p[1] * (p[2] == \"MB\" ? 1024 : p[2] == \"GB\" ? 1048576 : 1), $4, ($5 == \"\" ? $4 : $5), ($6 == \"\" ? $4 : $6) }' \
  OFS='\t' figures.tsv | sort -n", beginning, filter, quantity)

unset yrange; unset xrange; unset ytics; set ytics nomirror; unset format; set format y '%g'
set autoscale
set logscale xy
set xlabel 'size of the filter'
set ylabel 'ns for a key'
set xtics ('16 KB' 16, '128 KB' 128, '1 MB' 1024, '20 MB' 20480, '400 MB' 409600, "\n1 GB" 1048576)
set ytics (2, 5, 10, 20, 50, 100, 200, 500, 1000)
do for [what in 'absent present'] {
  set output what.'.svg'
  set title 'Lookup of '.(what eq 'absent' ? 'an absent' : 'a present').' key, 10 bits per key'
  case = what.' key, '
  plot \
    f(case, ribbon, 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_ribbon title 'oneline ribbon', \
    f(case, bloom, 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_bloom title 'oneline bloom', \
    f(case, "RocksDB's Bloom", 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_bloom title "RocksDB's Bloom, AVX2", \
    f(case, "RocksDB's Ribbon", 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_ribbon title "RocksDB's Ribbon, AVX2"
}

set output 'build.svg'
set title 'Building a filter of 1 MB'
set xlabel 'bits per key'
unset logscale x
unset xtics; set xtics 2 nomirror
set xrange [3:21]
case = 'build, '
plot \
  f(case, 'our Ribbon', 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_ribbon title 'oneline ribbon', \
  f(case, 'our Bloom', 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb ours_bloom title 'oneline bloom', \
  f(case, "RocksDB's Bloom", 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_bloom title "RocksDB's Bloom, AVX2", \
  f(case, "RocksDB's Ribbon", 'ns') using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 2 lc rgb their_ribbon title "RocksDB's Ribbon, AVX2"

# The ratio of lookups of absent keys from disk, for each data set.
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
set bmargin 3
set style fill solid 0.9 noborder
d(filter) = sprintf("< awk -F'\t' -v f=\"%s\" -v OFS='\t' 'sub(/^absent keys from disk, /, \"\", $1) && \
  $2 == f && $3 == \"ratio\" { print $1, $4, ($5 == \"\" ? $4 : $5), ($6 == \"\" ? $4 : $6) }' figures.tsv", filter)
plot \
  d("RocksDB's Bloom") using 0:(0):xtic(stringcolumn(1)) with dots lc rgb "white" notitle, \
  d("RocksDB's Ribbon") using ($0 - 0.3):2:3:4:(0.18) with boxerrorbars lc rgb their_ribbon title "RocksDB's Ribbon", \
  d('our Bloom') using ($0 - 0.1):2:3:4:(0.18) with boxerrorbars lc rgb ours_bloom title 'oneline bloom', \
  d('our Ribbon') using ($0 + 0.1):2:3:4:(0.18) with boxerrorbars lc rgb ours_ribbon title 'oneline ribbon', \
  1 with lines lw 2 lc rgb their_bloom title "RocksDB's Bloom"
