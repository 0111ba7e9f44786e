# Medians, quartiles, ratios and tables of all measurements: a table for each case on standard
# output, and lines for docs/internals/figures/ in the file `published`. In awk, because every system
# has it, it needs no building, and all measuring scripts use it.
#
#   awk [-v outer=0] [-v published=FILE] -f figures.awk INPUT...
#
# INPUT, which may mix these:
#   - lines `case <tab> filter <tab> quantity <tab> value`; the same names again are another round
#   - what Google Benchmark has written with --benchmark_out, of filters alone and of sets of URLs.
#     An item is a key; a benchmark that failed is an error
#   - lines of bench/filters/filter_rates
#
# Published are lines
#   case <tab> filter <tab> quantity <tab> median <tab> lower <tab> upper
# with quartiles or, with outer=0, the least and the greatest; empty where there is one value. A
# ratio is to RocksDB's or LevelDB's Bloom filter: of rates and seconds in each round, of filters
# alone of the medians, without the time to make a key.

BEGIN {
  FS = OFS = "\t"
  if (outer == "") outer = 0.25
  word["absent"] = "absent key"; word["present"] = "present key"
  word["batch32"] = "batch of 32 absent keys"
  word["dependent_absent"] = "absent key that waits for the last"
  word["dependent_present"] = "present key that waits for the last"
  word["load"] = "opening"
  word["avx512"] = "AVX-512"; word["vpclmul"] = "AVX2 and VPCLMULQDQ"
  word["avx2"] = "AVX2"; word["pclmul"] = "PCLMULQDQ"; word["neon"] = "NEON"
  word["bits/key"] = "bits per key"
  word["peak_bytes/key"] = "peak bytes per key"; word["match%"] = "false positives, %"
  # What Google Benchmark itself says, as numbers.
  split("family_index per_family_instance_index repetitions repetition_index threads iterations " \
    "real_time cpu_time items_per_second", names, " ")
  for (i in names) is_own[names[i]] = 1
}

function fail(what) { print "error: " what >"/dev/stderr"; failed = 1; exit 1 }
function words(name) { return name in word ? word[name] : name }

# A filter of this store, from its name in filter_bench or leveldb_filter_bench.
function filter_words(name, store, packaged,    parts, n, kind) {
  n = split(name, parts, "_")
  kind = parts[1] == "oneline" ? parts[2] : parts[n]
  kind = toupper(substr(kind, 1, 1)) substr(kind, 2)
  if (parts[1] == "oneline") return "our " kind (n == 2 ? "" : ", " words(parts[3]))
  return store "'s " kind (parts[1] == "rocksdb" && n == 2 ? packaged : "")
}

function size(kilobytes) {
  if (kilobytes < 1024) return kilobytes " KB"
  return kilobytes < 1048576 ? kilobytes / 1024 " MB" : kilobytes / 1048576 " GB"
}

# One more value. With `key` there is a ratio of medians, which leaves out the median of that name.
function add(what, filter, quantity, value, key,    name) {
  name = what OFS filter OFS quantity
  if (!(name in count)) {
    names[++results] = name
    case_of[name] = what; filter_of[name] = filter; quantity_of[name] = quantity; key_of[name] = key
    order[name] = in_runs ? 1e6 * field["family_index"] + field["per_family_instance_index"] : 0
  }
  values[name, ++count[name]] = value + 0
}

# One run of Google Benchmark, whose name is operation/SETTING/filter.
function add_run(    part, n, ns, i) {
  if (field["error_occurred"] == "true") fail(field["run_name"] ": " field["error_message"])
  if (field["run_type"] != "iteration") return
  if (field["items_per_second"] + 0 == 0) fail(field["run_name"] " does not count its items")
  # Of one thread, for an item: where threads do not wait for each other, it is the same as with one.
  ns = 1e9 * field["threads"] / field["items_per_second"]
  n = split(field["run_name"], part, "/")
  # Google Benchmark appends "real_time", "threads:2" and the like.
  while (part[n] == "real_time" || part[n] ~ /:/) --n
  if (n < 3) fail(field["run_name"] " is not operation/setting/filter")
  add_quantity(part, n, "ns", ns)
  for (i = 1; i <= counters; ++i) add_quantity(part, n, counter[i], field[counter[i]])
}

function add_quantity(part, n, quantity, value,    filter, what) {
  filter = filter_words(part[n], part[2] ~ / keys$/ ? "LevelDB" : "RocksDB", ", Debian's")
  what = words(part[1])
  if (part[2] == "making a key") {
    if (quantity == "ns") add("making a key", part[1], quantity, value)
  } else if (part[2] ~ / URLs$/) {
    add(part[2], part[n], quantity == "ns" ? part[1] : quantity, value)
  } else if (part[2] ~ / keys$/) {
    if (quantity == "ns") add(part[2], what ": " filter, quantity, value, part[1] == "build" ? "none" : "lookup")
    else if (quantity == "theory%") add(part[2], filter ", theory", "false positives, %", value)
    else if (filter !~ /,/) add(part[2], filter, words(quantity), value)
  } else if (part[4] == "in parallel") {
    if (quantity == "ns") add(what ", " size(part[3] + 0), filter, field["threads"] == 1 ? "ns alone" : "ns of 2 threads", value)
  } else if (part[1] == "build") {
    add("build, " part[2] " per key", filter, words(quantity), value, quantity == "ns" ? "none" : "")
  } else if (quantity == "ns") {
    add(what ", " size(part[3] + 0) (part[2] == "10 bits" ? "" : ", " part[2] " per key"), filter, quantity, value,
      part[1] ~ /^dependent/ ? "dependent" : "independent")
  }
}

# Of Google Benchmark.
FNR == 1 { in_runs = 0 }
/^ *"benchmarks": / { in_runs = 1 }
in_runs && /^ *{/ { split("", field); counters = 0 }
in_runs && match($0, /^ *"[^"]*": /) {
  name = substr($0, 1, RLENGTH - 3)
  sub(/^ *"/, "", name)
  text = substr($0, RLENGTH + 1)
  sub(/,$/, "", text)
  if (text !~ /^"/ && text ~ /[0-9NI]/ && !(name in is_own)) counter[++counters] = name
  gsub(/^"|"$/, "", text)
  field[name] = text
}
in_runs && /^ *}/ && "run_name" in field { add_run(); split("", field) }

# Of filter_rates.
NF == 5 && ($1 == "measured" || $1 == "theory") && $1 != "what" {
  bits = int($3 + 0.5)
  what = "false positives, " bits " bits per key"
  name = filter_words($2, "RocksDB")
  if ($1 == "theory" && $3 == bits) add(what, name ", theory", "%", 100 * $4)
  if ($1 == "measured") {
    add(what, name, "%", 100 * $4, "none")
    add(what, name, "bits per key", $3)
  }
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

function base_of(name) {
  return case_of[name] OFS (filter_of[name] ~ /: / ? substr(filter_of[name], 1, index(filter_of[name], ":")) " LevelDB's Bloom" \
    : "RocksDB's Bloom") OFS quantity_of[name]
}

# Of each round, while values are not sorted.
function add_ratios(name,    base, i) {
  base = base_of(name)
  if (!(base in count) || count[base] != count[name]) return
  for (i = 1; i <= count[name]; ++i) add(case_of[name], filter_of[name], "ratio", values[name, i] / values[base, i])
}
function ratio_of_medians(name,    key, base) {
  key = key_of[name] == "none" ? 0 : median["making a key" OFS key_of[name] OFS "ns"]
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
  # Google Benchmark's are in the order of their end, which is random.
  for (r = 2; r <= results; ++r) {
    name = names[r]
    for (j = r; j > 1 && order[names[j - 1]] > order[name]; --j) names[j] = names[j - 1]
    names[j] = name
  }
  for (r = 1; r <= results; ++r) {
    if (quantity_of[names[r]] == "lookups per second" || quantity_of[names[r]] == "s") add_ratios(names[r])
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
    if (key_of[name] != "") ratio_of_medians(name)
  }
  for (c = 1; c <= num_cases; ++c) print_table(cases[c])
}
