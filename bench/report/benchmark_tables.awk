# Prints results of Google Benchmark as tables, one for each setting: a row for each filter, a
# column for each operation, in nanoseconds for an item and half the distance of the quartiles,
# and one for each counter, of which the first operation of a filter that has it gives it.
#   benchmark_results.awk | sort | medians.awk -v quartiles=1 | LC_ALL=C awk -f benchmark_tables.awk

BEGIN { FS = "\t" }

# Adds an entry to one of the lists of a setting.
function list(which, entry) {
  if (!((which, setting, entry) in listed)) in_list[which, setting, ++length_of[which, setting]] = entry
  listed[which, setting, entry] = 1
}

{
  setting = $2
  for (i = 3; i < NF - 4; ++i) setting = setting ", " $i
  if (!(setting in is_known)) settings[++num_settings] = setting
  is_known[setting] = 1
  filter = $(NF - 4); quantity = $(NF - 3); median = $(NF - 2)
  list("filters", filter)
  if (quantity == "ns") {
    list("operations", $1)
    cell[setting, filter, $1] = sprintf(median < 100 ? "%.2f ±%2.0f%%" : "%.0f ±%2.0f%%",
      median, 50 * ($NF - $(NF - 1)) / median)
  } else {
    list("counters", quantity)
    if (!((setting, filter, quantity) in cell)) cell[setting, filter, quantity] = sprintf("%.4g", median)
  }
}

# The texts of one list in the row of a filter, or its headings.
function print_cells(which, filter,    i, column, text, width) {
  for (i = 1; i <= length_of[which, setting]; ++i) {
    column = in_list[which, setting, i]
    text = filter == "" ? column : cell[setting, filter, column]
    width = length(column) > 10 ? length(column) : 10
    # "±" has two bytes and takes one place.
    printf "%" (width + 2 + (text ~ /±/)) "s", text
  }
}
function print_row(filter) {
  printf "%-26s", filter
  print_cells("operations", filter)
  print_cells("counters", filter)
  print ""
}

END {
  for (s = 1; s <= num_settings; ++s) {
    setting = settings[s]
    print "\n" setting ": ns"
    print_row("")
    for (f = 1; f <= length_of["filters", setting]; ++f) print_row(in_list["filters", setting, f])
  }
}
