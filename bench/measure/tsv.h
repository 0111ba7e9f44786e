// Tables as text: a line of column names, then a line for each row with as many
// cells, separated by tabs.

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

  // The index of a column; columns.size() if there is none of that name.
  size_t FindColumn(const std::string& name) const;
};

// The text of a number: six significant digits, or all those before the decimal
// point.
std::string TsvNumber(double number);

// The table as text. InvalidArgument if a cell has a tab or a line feed, or a
// row does not have a cell for each column.
absl::StatusOr<std::string> TsvText(const TsvTable& table);

// Replaces the file as a whole; on an error it stays as it was.
absl::Status WriteTsv(const TsvTable& table, const std::string& path);

// InvalidArgument, naming the file, if it can't be read or is not such a table.
absl::StatusOr<TsvTable> ReadTsv(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_TSV_H_
