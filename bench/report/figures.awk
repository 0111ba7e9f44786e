# Makes one file of what bench/report/compare.sh measured, in the words of the
# documents' tables, which tables.awk fills in from it:
#   awk -f digits.awk -f figures.awk machine.txt rates.tsv filters.tsv databases.tsv
# Prints lines `name <tab> text` about the machine, and then
#   case <tab> filter <tab> quantity <tab> median <tab> lower <tab> upper quartile
# where the quartiles of what was counted are empty. A ratio is to RocksDB's or
# LevelDB's Bloom; those of lookups in filters leave out the time to make a key.

BEGIN {
  FS = OFS = "\t"
  word["absent"] = "absent key"; word["present"] = "present key"
  word["batch32"] = "batch of 32 absent keys"
  word["dependent_absent"] = "absent key that waits for the last"
  word["dependent_present"] = "present key that waits for the last"
  word["load"] = "opening"
  word["avx512"] = "AVX-512"; word["vpclmul"] = "AVX2 and VPCLMULQDQ"
  word["avx2"] = "AVX2"; word["pclmul"] = "PCLMULQDQ"; word["neon"] = "NEON"
  word["half absent"] = "half absent keys"; word["90% absent"] = "90% absent keys"
  word["10% absent"] = "10% absent keys"; word["MultiGet absent"] = "MultiGet of 32 absent keys"
  word["prefix absent"] = "absent prefixes"; word["prefix present"] = "present prefixes"
  word["random order"] = " in random order"; word["sorted"] = ", sorted"
  word["fill"] = "filling"; word["compact"] = "compactions"
  word["cpu"] = "CPU time of writing"
  word["ops/s"] = "lookups per second"; word["checks"] = "filters queried"
  word["false"] = "false positives in 1000"; word["reads"] = "block reads in 1000"
  word["bits"] = word["bits/key"] = "bits per key"
  word["p50 us"] = "p50, us"; word["p99 us"] = "p99, us"; word["cpu us"] = "processor time, us"
  word["peak_bytes/key"] = "peak bytes per key"; word["match%"] = "false positives, %"
}

function words(name) { return name in word ? word[name] : name }

# A filter of this store, from its name in the programs.
function filter_words(name, store, packaged,    parts, n, kind) {
  if (name == "none") return "no filter"
  if (name == "bloom again") return store "'s Bloom, again"
  n = split(name, parts, /[_ ]/)
  kind = n == 1 ? parts[1] : parts[1] == "oneline" ? parts[2] : parts[n]
  kind = toupper(substr(kind, 1, 1)) substr(kind, 2)
  if (parts[1] == "oneline") return "our " kind (n == 2 ? "" : ", " words(parts[3]))
  return store "'s " kind (parts[1] == "rocksdb" && n == 2 ? packaged : "")
}
function number(n) {
  if (n >= 1000000) return n / 1000000 " million"
  return n >= 1000 ? sprintf("%d,%03d", n / 1000, n % 1000) : n
}
function size(kilobytes) {
  if (kilobytes < 1024) return kilobytes " KB"
  return kilobytes < 1048576 ? kilobytes / 1024 " MB" : kilobytes / 1048576 " GB"
}

function rounded(x, quantity) {
  if (x == "") return ""
  if (quantity == "ratio") return sprintf(x < 0.1 ? "%.3f" : "%.2f", x)
  return digits(x)
}

# With `key_ns`, which a ratio leaves out, there is also a ratio.
function add(what, filter, quantity, median, lower, upper, key_ns) {
  ++n
  case_of[n] = what; filter_of[n] = filter; quantity_of[n] = quantity
  median_of[n] = median; lower_of[n] = lower; upper_of[n] = upper; key_of[n] = key_ns
  at[what, filter, quantity] = n
}

FILENAME ~ /machine\.txt$/ { print }

FILENAME ~ /rates\.tsv$/ && FNR > 1 {
  bits = int($3 + 0.5)
  what = "false positives, " bits " bits per key"
  name = filter_words($2, "RocksDB")
  if ($1 == "theory" && $3 == bits) add(what, name ", theory", "%", 100 * $4)
  if ($1 == "measured") {
    add(what, name, "%", 100 * $4, "", "", 0)
    add(what, name, "bits per key", $3)
  }
}

# Of filter_bench and leveldb_filter_bench.
FILENAME ~ /filters\.tsv$/ {
  unit = $(NF - 3); median = $(NF - 2); lower = $(NF - 1); upper = $NF
  split($1, threads, " x")
  alone = threads[2] == 1 ? "ns alone" : "ns of 2 threads"
  if ($2 == "making a key") {
    key[$1] = median
  } else if ($2 ~ / keys$/ && NF == 7) {
    name = filter_words($3, "LevelDB")
    if (unit == "ns") {
      add($2, words($1) ": " name, unit, median, lower, upper, $1 == "build" ? 0 : key["lookup"])
    } else if (unit == "theory%") {
      add($2, name ", theory", "false positives, %", median)
    } else if (name !~ /,/) {
      add($2, name, words(unit), median)
    }
  } else if ($4 == "in parallel") {
    add(words(threads[1]) ", " size($3 + 0), filter_words($5, "RocksDB", ", Debian's"), alone, median, lower, upper)
  } else if ($1 == "build") {
    add("build, " $2 " per key", filter_words($4, "RocksDB", ", Debian's"), words(unit), median, lower, upper, unit == "ns" ? 0 : "")
  } else if (unit == "ns") {
    add(words($1) ", " size($3 + 0) ($2 == "10 bits" ? "" : ", " $2 " per key"),
      filter_words($5, "RocksDB", ", Debian's"), unit, median, lower, upper,
      key[$1 ~ /^dependent/ ? "dependent" : "independent"])
  }
}

# Lookups each second of all threads, as the nanoseconds that a thread takes for one.
FILENAME ~ /databases\.tsv$/ && $1 $2 $3 $5 $8 == "RocksDBrandom100cacheops/s" && $6 ~ /^(MultiGet )?absent/ {
  ns = $6 ~ /2 threads/ ? 2e9 : 1e9
  add(($6 ~ /MultiGet/ ? "MultiGet" : "Get") ", absent keys", filter_words($7, $1),
    ns == 1e9 ? "ns alone" : "ns of 2 threads", ns / $9, ns / $11, ns / $10)
}

FILENAME ~ /databases\.tsv$/ && FNR > 1 && $6 !~ /2 threads/ {
  what = ($1 == "LevelDB" ? "LevelDB, " : "")
  if ($5 == "") {
    what = what words($8) ", " number($4) " records" words($6)
    unit = "ratio"
  } else {
    what = what words($6) ($6 ~ /^(absent|present)$/ ? "s" : "") ($5 == "disk" ? " from disk, " : " in the cache, ") \
      ($2 != "random" ? $2 : $3 == 1000 ? "values of 1 KB" : number($4) " records")
    unit = words($8)
  }
  add(what, filter_words($7, $1), unit, $9, $10, $11)
}

function base_of(i,    operation) {
  if ((case_of[i], "RocksDB's Bloom", quantity_of[i]) in at) return at[case_of[i], "RocksDB's Bloom", quantity_of[i]]
  operation = substr(filter_of[i], 1, index(filter_of[i], ":"))
  return at[case_of[i], operation " LevelDB's Bloom", quantity_of[i]]
}

END {
  for (i = 1; i <= n; ++i) {
    what = quantity_of[i]
    print case_of[i], filter_of[i], what, rounded(median_of[i], what), rounded(lower_of[i], what), rounded(upper_of[i], what)
    if (key_of[i] == "") continue
    base = median_of[base_of(i)] - key_of[i]
    if (base > 0) print case_of[i], filter_of[i], "ratio", rounded((median_of[i] - key_of[i]) / base, "ratio"), "", ""
  }
}
