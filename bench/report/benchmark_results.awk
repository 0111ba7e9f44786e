# Prints what Google Benchmark has written with --benchmark_out as lines, with tabs between:
#   order, operation, setting of any number of parts, filter, quantity, value
# for each repetition, with order as the benchmarks were registered, which is not that of
# their runs. Their names are operation/SETTING/filter. The quantity "ns" is nanoseconds for
# an item; on n threads the operation is "operation xn", and the time is that of an item of
# one thread: where threads do not wait for each other, it is the same as with one. Counters
# are quantities, too. A benchmark that failed or does not count its items is an error.

BEGIN {
  # What Google Benchmark itself says, as numbers.
  split("family_index per_family_instance_index repetitions repetition_index threads iterations " \
    "real_time cpu_time items_per_second", names, " ")
  for (i in names) is_own[names[i]] = 1
}

function fail(what) { print "error: " what >"/dev/stderr"; failed = 1; exit 1 }

function add_run(    parts, part, n, i, on_threads, name) {
  if (value["error_occurred"] == "true") fail(value["run_name"] ": " value["error_message"])
  if (value["run_type"] != "iteration") return
  if (value["items_per_second"] + 0 == 0) fail(value["run_name"] " does not count its items")
  n = split(value["run_name"], part, "/")
  # Google Benchmark appends "real_time", "threads:2" and the like.
  for (; part[n] == "real_time" || part[n] ~ /:/; --n) on_threads = on_threads || part[n] ~ /^threads:/
  if (n < 3) fail(value["run_name"] " is not operation/setting/filter")
  name = 1e6 * value["family_index"] + value["per_family_instance_index"] "\t" part[1]
  if (on_threads) name = name " x" value["threads"]
  for (i = 2; i <= n; ++i) name = name "\t" part[i]
  printf "%s\tns\t%.15g\n", name, 1e9 * value["threads"] / value["items_per_second"]
  for (i = 1; i <= counters; ++i) printf "%s\t%s\t%.15g\n", name, counter[i], value[counter[i]]
  ++runs
}

/^ *"benchmarks": / { in_runs = 1 }
in_runs && /^ *{/ { split("", value); counters = 0 }
in_runs && match($0, /^ *"[^"]*": /) {
  key = substr($0, 1, RLENGTH - 3)
  sub(/^ *"/, "", key)
  text = substr($0, RLENGTH + 1)
  sub(/,$/, "", text)
  if (text !~ /^"/ && text ~ /[0-9NI]/ && !(key in is_own)) counter[++counters] = key
  gsub(/^"|"$/, "", text)
  value[key] = text
}
in_runs && /^ *}/ && "run_name" in value { add_run() ; split("", value) }
END {
  if (!failed && !runs) fail(FILENAME " has no benchmark")
  exit failed
}
