// Tables of text: a line of column names, then lines of as many cells, with
// tabs between.

#ifndef ONELINE_BENCH_MEASURE_TSV_H_
#define ONELINE_BENCH_MEASURE_TSV_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

struct TsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  // columns.size() if there is no such column.
  size_t FindColumn(const std::string& name) const;
};

// A cell: six significant digits, and all those before the point.
std::string TsvNumber(double number);

// The table as text. Cells must hold neither tabs nor ends of lines, and rows
// have a cell for each column.
absl::StatusOr<std::string> TsvText(const TsvTable& table);

// Replaces the file, or leaves it as it was if there is an error.
absl::Status WriteTsv(const TsvTable& table, const std::string& path);

absl::StatusOr<TsvTable> ReadTsv(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_TSV_H_
