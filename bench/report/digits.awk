# For results in documents and tables: three digits or so of a number.

function digits(x) {
  return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 1 ? "%.2f" : "%.3g", x)
}
