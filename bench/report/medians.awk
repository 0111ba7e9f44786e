# Prints the median of each result that was measured several times:
#   awk -f medians.awk FILE
# FILE has lines `case <tab> filter <tab> quantity <tab> value`. Of each case, filter and
# quantity there is one line, in the order of their first: then the median, the least and
# the greatest value.

BEGIN { FS = OFS = "\t"; OFMT = "%.15g" }
{
  name = $1 FS $2 FS $3
  if (!(name in count)) names[++results] = name
  for (i = ++count[name]; i > 1 && value[name, i - 1] > $4 + 0; --i) value[name, i] = value[name, i - 1]
  value[name, i] = $4 + 0
}
END {
  for (r = 1; r <= results; ++r) {
    name = names[r]
    n = count[name]
    median = (value[name, int((n + 1) / 2)] + value[name, int(n / 2) + 1]) / 2
    print name, median, value[name, 1], value[name, n]
  }
}
