# How much faster lookups become, by the time of a read and the share of absent keys: from docs/internals/figures/large.tsv,
# in the form of docs/internals/figures/. Gains are ratios to RocksDB's Bloom filter, by the formula
#
#   time of a lookup = time with RocksDB's Bloom filter - blocks saved * time of a read
#
# Blocks are counted. The time of a read is what lookups take longer on average than the median of lookups of absent keys,
# few of which read; in the page cache, where that is little, of those with 30 % absent keys. An error if a measured gain
# is not within 10 % of the formula's, or within what equal filters differ by in that cell. A database without a filter is
# not compared: this disk takes longer for blocks that nothing else reads.
#
# Your gain is that with a read of 10, 100 or 1000 us, and 2 us for the rest of a lookup.
#
# Usage: awk -f gains.awk large.tsv >gains.tsv
BEGIN {
  FS = OFS = "\t"
  base = "RocksDB's Bloom"
  split("10 100 1000", read_times, " ")
}

# A case is a cell and a filter, and has the base's results as well.
$2 == base && $3 == "lookups per second" { micros[$1] = 1e6 / $4 }
$2 == base && $3 == "p50, us" { median[$1] = $4 }
$3 == "ratio" { measured[$1, $2] = $4 }
$3 == "blocks" {
  blocks[$1, $2] = $4 / 1000
  if ($2 != base) {
    name[++cases] = $1
    filter[cases] = $2
    cell[cases] = substr($1, 1, length($1) - length($2) - 2)
  }
}

function result(of, whose, what, value) { print of, whose, what, value, "", "" }
function off(ratio) { return ratio < 1 ? 1 / ratio : ratio }
function gain(i, now, read) {
  return now / (now - read * (blocks[name[i], base] - blocks[name[i], filter[i]]))
}
function time_of_read(i,    place, from) {
  place = cell[i] ~ /page cache/ ? "from the page cache" : "from disk"
  from = place ~ /page/ ? place ", 30% absent, " filter[i] : name[i]
  return (micros[from] - median[place ", 100% absent, " filter[i]]) / blocks[from, base]
}

END {
  print "command", "bench/report/gains.awk, from large.tsv"
  for (i = 1; i <= cases; ++i) {
    if (filter[i] == base ", again") tolerance[cell[i]] = off(measured[name[i], filter[i]])
    if (filter[i] == "ours") result(cell[i], base, "us of a read", sprintf("%.3g", time_of_read(i)))
  }
  for (i = 1; i <= cases; ++i) {
    if (filter[i] == "no filter") continue
    expected = gain(i, micros[name[i]], time_of_read(i))
    ratio = measured[name[i], filter[i]]
    result(cell[i], filter[i], "gain", ratio)
    result(cell[i], filter[i], "by the formula", sprintf("%.2f", expected))
    most = tolerance[cell[i]] > 1.1 ? tolerance[cell[i]] : 1.1
    if (off(expected / ratio) > most) {
      printf "error: %s: %.3g times was measured, the formula has %.3g\n", name[i], ratio, expected >"/dev/stderr"
      failed = 1
    }
  }
  for (i = 1; i <= cases; ++i) {
    if (cell[i] !~ /^from disk/ || filter[i] ~ /again$|no filter/) continue
    for (t = 1; t in read_times; ++t) {
      result(substr(cell[i], 12) ", " read_times[t] " us a read", filter[i], "gain",
        sprintf("%.2f", gain(i, 2 + read_times[t] * blocks[name[i], base], read_times[t])))
    }
  }
  exit failed
}
