# Prints a page with the tables below such lines filled in again:
#   <!-- figures of amd: ratio -->
# from docs/internals/figures/amd.tsv. A cell is the result whose case, filter and
# quantity are the label of its row, that of its column and the text after the
# colon, whichever is which: the median, and the quartiles if there are any. With
# `ns (ratio)` it is two medians. If a row's label only begins the names of cases, it
# is the least and the greatest of their medians. Without such a result a cell is
# empty; a row without any is an error.
#
# Usage: awk -f tables.awk PAGE

BEGIN { folder = "docs/internals/figures" }

function add(a, b, c, line) { row_of[machine, a, b, c] = row_of[machine, a, c, b] = line }
function read_machine(    file, field, line, text) {
  if (machine in results) return
  file = folder "/" machine ".tsv"
  while ((getline line < file) > 0) {
    if (split(line, field, "\t") < 6) continue
    ++results[machine]
    line = machine SUBSEP results[machine]
    case_of[line] = field[1]; filter_of[line] = field[2]; quantity_of[line] = field[3]
    median[line] = field[4]
    quartiles[line] = field[5] == "" ? "" : " (" field[5] "-" field[6] ")"
    add(field[1], field[2], field[3], line)
    add(field[2], field[1], field[3], line)
    add(field[3], field[1], field[2], line)
  }
  if (!(machine in results)) { print "error: no results in " file >"/dev/stderr"; failed = 1 }
}

function range(label, filter, quantity,    i, line, least, greatest) {
  for (i = 1; i <= results[machine]; ++i) {
    line = machine SUBSEP i
    if (filter_of[line] != filter || quantity_of[line] != quantity) continue
    if (index(case_of[line], label ", ") != 1 && index(case_of[line], label " ") != 1) continue
    if (least == "" || median[line] + 0 < least + 0) least = median[line]
    if (greatest == "" || median[line] + 0 > greatest + 0) greatest = median[line]
  }
  return least == greatest ? least : least " to " greatest
}

function cell(row, column,    first, second) {
  if ((machine, row, column, quantity) in row_of) {
    first = row_of[machine, row, column, quantity]
    if (in_brackets == "") return median[first] quartiles[first]
    if (!((machine, row, column, in_brackets) in row_of)) return median[first]
    second = row_of[machine, row, column, in_brackets]
    return median[first] " (" median[second] ")"
  }
  return range(row, column, quantity)
}

/^<!-- figures of [a-z-]+: .* -->$/ {
  machine = $4
  sub(/:$/, "", machine)
  quantity = substr($0, index($0, ":") + 2)
  sub(/ -->$/, "", quantity)
  in_brackets = ""
  if (match(quantity, / \(.*\)$/)) {
    in_brackets = substr(quantity, RSTART + 2, RLENGTH - 3)
    quantity = substr(quantity, 1, RSTART - 1)
  }
  read_machine()
  in_table = 1
  heading = ""
  print
  next
}
in_table && /^\|/ && heading == "" { heading = $0; columns = split($0, label, / *\| */) - 1 }
in_table && /^\| [^|]/ && $0 != heading {
  split($0, field, / *\| */)
  line = "| " field[2] " |"
  found = 0
  for (i = 3; i <= columns; ++i) {
    text = cell(field[2], label[i])
    found += text != ""
    line = line (text == "" ? "" : " " text) " |"
  }
  if (!found) { print "error: no figures of: " field[2] >"/dev/stderr"; failed = 1 }
  $0 = line
}
/^<!-- figures of / { print "error: not understood: " $0 >"/dev/stderr"; failed = 1 }
!/^\|/ { in_table = 0 }
{ print }
END { exit failed }
