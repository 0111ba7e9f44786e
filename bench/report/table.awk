# Prints results as tables, and appends them to a file for docs/internals/figures/:
#   awk -v published=FILE -f digits.awk -f table.awk RESULTS
# RESULTS has lines `case <tab> filter <tab> quantity <tab> median <tab> least <tab> greatest`, as
# medians.awk prints them. Rows that have the same quantities are in one table, by case.

BEGIN { FS = OFS = "\t" }

function rounded(x) { return x == int(x) ? x : digits(x) }

{
  if (!(($1, $2) in cells)) {
    if (!($1 in is_case)) cases[++num_cases] = $1
    if (!($2 in is_filter)) filters[++num_filters] = $2
    is_case[$1] = is_filter[$2] = 1
  }
  median = rounded($4); spread = $5 == $6 ? OFS : rounded($5) OFS rounded($6)
  print $1, $2, $3, median, spread >>published
  heading[$1, $2] = heading[$1, $2] OFS $3
  sub(OFS, "-", spread)
  cells[$1, $2] = cells[$1, $2] OFS median ($5 == $6 ? "" : " (" spread ")")
}

END {
  for (c = 1; c <= num_cases; ++c) {
    for (f = 1; f <= num_filters; ++f) {
      row = cases[c] SUBSEP filters[f]
      if (!(row in cells)) continue
      if (!(heading[row] in table)) tables[++num_tables] = heading[row]
      table[heading[row]] = table[heading[row]] "\n" cases[c] OFS filters[f] cells[row]
    }
  }
  for (t = 1; t <= num_tables; ++t) print "\n" OFS "filter" tables[t] table[tables[t]]
}
