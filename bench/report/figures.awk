# Medians, quartiles, ratios and tables of all measurements: a table for each case on standard
# output, and lines for docs/internals/figures/ in the file `published`. In awk, because every system
# has it, it needs no building, and all measuring scripts use it.
#
#   awk [-v outer=0] [-v compared=FILTER] [-v published=FILE] -f figures.awk INPUT...
#
# INPUT has lines `case <tab> filter <tab> quantity <tab> value`; the same names again are another
# round. It may have lines of bench/filters/filter_rates as well.
#
# Published are lines
#   case <tab> filter <tab> quantity <tab> median <tab> lower <tab> upper
# with quartiles or, with outer=0, the least and the greatest; empty where there is one value. A
# ratio is to `compared`, by default RocksDB's Bloom: of rates and seconds in each round, of ns of
# filters alone of the medians, without the time to make a key.

BEGIN {
  FS = OFS = "\t"
  if (outer == "") outer = 0.25
  if (compared == "") compared = "RocksDB's Bloom"
  word["avx512"] = "AVX-512"; word["vpclmul"] = "AVX2 and VPCLMULQDQ"
  word["avx2"] = "AVX2"; word["pclmul"] = "PCLMULQDQ"; word["neon"] = "NEON"
}

function fail(what) { print "error: " what >"/dev/stderr"; failed = 1; exit 1 }

# A filter, from its name in bench/filters/, such as oneline_ribbon_avx512.
function filter_words(name,    parts, n, kind) {
  if (name !~ /^(oneline|rocksdb)_/) return name
  n = split(name, parts, "_")
  kind = parts[1] == "oneline" ? parts[2] : parts[n]
  kind = toupper(substr(kind, 1, 1)) substr(kind, 2)
  if (parts[1] == "oneline") return "our " kind (n == 2 ? "" : ", " (parts[3] in word ? word[parts[3]] : parts[3]))
  return "RocksDB's " kind (n == 2 && !of_rates ? ", Debian's" : "")
}

# One more value.
function add(what, filter, quantity, value,    name) {
  name = what OFS filter_words(filter) OFS quantity
  if (!(name in count)) {
    names[++results] = name
    case_of[name] = what; filter_of[name] = filter_words(filter); quantity_of[name] = quantity
  }
  values[name, ++count[name]] = value + 0
}

# Of filter_rates.
NF == 5 && ($1 == "measured" || $1 == "theory") {
  of_rates = 1
  bits = int($3 + 0.5)
  what = "false positives, " bits " bits per key"
  if ($1 == "theory" && $3 == bits) add(what, filter_words($2) ", theory", "%", 100 * $4)
  if ($1 == "measured") {
    add(what, $2, "%", 100 * $4)
    add(what, $2, "bits per key", $3)
  }
  of_rates = 0
}

# Of all others.
NF == 4 { add($1, $2, $3, $4) }

# Sorts the values of a name, after which quantile() is right.
function sort_values(name,    i, j, x) {
  for (i = 2; i <= count[name]; ++i) {
    x = values[name, i] + 0
    for (j = i; j > 1 && values[name, j - 1] + 0 > x; --j) values[name, j] = values[name, j - 1]
    values[name, j] = x
  }
}
# The value that so large a share of them does not exceed, or what is between two of them.
function quantile(name, share,    rank, below) {
  rank = 1 + share * (count[name] - 1)
  below = int(rank)
  if (rank == below) return values[name, below]
  return values[name, below] + (rank - below) * (values[name, below + 1] - values[name, below])
}

function digits(x) {
  if (x == int(x) && x < 1e15) return sprintf("%d", x)
  return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 1 ? "%.2f" : "%.3g", x)
}
function rounded(x, quantity) {
  return quantity == "ratio" ? sprintf(x < 0.1 ? "%.3f" : "%.2f", x) : digits(x)
}

function base_of(name) { return case_of[name] OFS compared OFS quantity_of[name] }

# Of each round, while values are not sorted.
function add_ratios(name,    base, i) {
  base = base_of(name)
  if (!(base in count) || count[base] != count[name]) return
  for (i = 1; i <= count[name]; ++i) add(case_of[name], filter_of[name], "ratio", values[name, i] / values[base, i])
}
# Of filters alone. Lookups contain the time to make a key.
function ratio_of_medians(name,    key, base) {
  if (case_of[name] ~ /(absent|present) key/) {
    key = median["making a key" OFS (case_of[name] ~ /waits/ ? "dependent" : "independent") OFS "ns"]
  }
  base = median[base_of(name)] - key
  if (base > 0) print_result(name, "ratio", rounded((median[name] - key) / base, "ratio"), "", "")
}

# Keeps it for the table of its case as well.
function print_result(name, quantity, middle, lower, upper,    of, row) {
  of = case_of[name]
  row = filter_of[name]
  if (published != "") print of, row, quantity, middle, lower, upper >>published
  if (!(of in rows)) cases[++num_cases] = of
  if (!((of, row) in is_row)) row_of[of, ++rows[of]] = row
  if (!((of, "column", quantity) in is_row)) column_of[of, ++columns[of]] = quantity
  is_row[of, row] = is_row[of, "column", quantity] = 1
  cell[of, row, quantity] = middle (lower == "" ? "" : " (" lower "-" upper ")")
}

function print_table(of,    c, r, width, text) {
  print "\n" of
  for (r = 0; r <= rows[of]; ++r) {
    printf "%-34s", r == 0 ? "" : row_of[of, r]
    for (c = 1; c <= columns[of]; ++c) {
      text = r == 0 ? column_of[of, c] : cell[of, row_of[of, r], column_of[of, c]]
      width = length(column_of[of, c]) > 22 ? length(column_of[of, c]) : 22
      printf " %" width "s", text
    }
    print ""
  }
}

END {
  if (failed) exit 1
  if (!results) fail("there are no results")
  for (r = 1; r <= results; ++r) {
    if (quantity_of[names[r]] ~ /^(lookups per second|operations\/s|s)$/) add_ratios(names[r])
  }
  for (r = 1; r <= results; ++r) {
    sort_values(names[r])
    median[names[r]] = quantile(names[r], 0.5)
  }
  for (r = 1; r <= results; ++r) {
    name = names[r]
    lower = upper = ""
    if (count[name] > 1 && values[name, 1] != values[name, count[name]]) {
      lower = rounded(quantile(name, outer), quantity_of[name])
      upper = rounded(quantile(name, 1 - outer), quantity_of[name])
    }
    print_result(name, quantity_of[name], rounded(median[name], quantity_of[name]), lower, upper)
    if (quantity_of[name] == "ns" || quantity_of[name] == "%") ratio_of_medians(name)
  }
  for (c = 1; c <= num_cases; ++c) print_table(cases[c])
}
