# Prints the median of each result that was measured several times:
#   awk [-v quartiles=1] -f medians.awk FILE
# FILE has lines of names and a value, with tabs between. Of the same names there is one
# line, in the order of their first: the names, then the median, the least and the greatest
# value, or instead of these two the quartiles.

BEGIN { FS = OFS = "\t"; OFMT = "%.15g" }
{
  x = $NF + 0
  name = substr($0, 1, length($0) - length($NF) - 1)
  if (!(name in count)) names[++results] = name
  for (i = ++count[name]; i > 1 && value[name, i - 1] > x; --i) value[name, i] = value[name, i - 1]
  value[name, i] = x
}

# The value that so large a share of them does not exceed, or what is between two of them.
function quantile(share,    rank, below) {
  rank = 1 + share * (count[name] - 1)
  below = int(rank)
  if (rank == below) return value[name, below]
  return value[name, below] + (rank - below) * (value[name, below + 1] - value[name, below])
}

END {
  outer = quartiles ? 0.25 : 0
  for (r = 1; r <= results; ++r) {
    name = names[r]
    print name, quantile(0.5), quantile(outer), quantile(1 - outer)
  }
}
