# Prints a file of docs/internals/figures/ without the results that no page cites:
#   awk -v name=amd -f cited.awk quotes.txt CITED amd.tsv
# CITED has what tables cite (tables.awk), quotes.txt what sentences do. A quote is of
# the case that it names or, if there is none, of all that begin so.

BEGIN { FS = "\t" }
FILENAME == ARGV[1] && $5 == name {
  ++quotes
  of[quotes] = $6
  filters[quotes] = "\t" $7 "\t" ($8 == "" ? "" : $8 "\t")
  quantity[quotes] = $9
}
FILENAME == ARGV[2] && $1 == name { is_cited[substr($0, length(name) + 2)] = 1 }
FILENAME == ARGV[3] {
  line[++lines] = $0
  is_result[lines] = NF >= 6
  case_of[lines] = $1; filter_of[lines] = $2; quantity_of[lines] = $3
}

function is_quoted(i, quote) {
  return quantity_of[i] == quantity[quote] && index(filters[quote], "\t" filter_of[i] "\t") > 0
}

END {
  for (quote = 1; quote <= quotes; ++quote) {
    exact = 0
    for (i = 1; i <= lines; ++i) exact += case_of[i] == of[quote] && is_quoted(i, quote)
    for (i = 1; i <= lines; ++i) {
      if (exact ? case_of[i] != of[quote] : index(case_of[i], of[quote]) != 1) continue
      if (is_quoted(i, quote)) is_cited[line[i]] = 1
    }
  }
  for (i = 1; i <= lines; ++i) if (!is_result[i] || line[i] in is_cited) print line[i]
}
