#include "bench/measure/tsv.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace oneline {
namespace {

absl::Status FileError(const std::string& what, const std::string& path) {
  return absl::InvalidArgumentError(
      absl::StrCat("cannot ", what, " ", path, ": ", strerror(errno)));
}

absl::Status CheckRow(const TsvTable& table,
                      const std::vector<std::string>& row) {
  if (row.size() != table.columns.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a row has ", row.size(), " cells, but there are ",
                     table.columns.size(), " columns"));
  }
  for (const std::string& cell : row) {
    if (cell.find_first_of("\t\n\r") != cell.npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("a cell contains a tab or a line feed: ", cell));
    }
  }
  return absl::OkStatus();
}

}  // namespace

size_t TsvTable::FindColumn(const std::string& name) const {
  return static_cast<size_t>(std::find(columns.begin(), columns.end(), name) -
                             columns.begin());
}

std::string TsvNumber(double number) {
  constexpr double kExponentFrom = 1e6;  // where %.6g writes an exponent
  return std::abs(number) < kExponentFrom ? absl::StrFormat("%.6g", number)
                                          : absl::StrFormat("%.0f", number);
}

absl::StatusOr<std::string> TsvText(const TsvTable& table) {
  std::string text = absl::StrCat(absl::StrJoin(table.columns, "\t"), "\n");
  for (const std::vector<std::string>& row : table.rows) {
    const absl::Status status = CheckRow(table, row);
    if (!status.ok()) return status;
    absl::StrAppend(&text, absl::StrJoin(row, "\t"), "\n");
  }
  return text;
}

absl::Status WriteTsv(const TsvTable& table, const std::string& path) {
  const absl::StatusOr<std::string> text = TsvText(table);
  if (!text.ok()) return text.status();
  const std::string unfinished = path + ".unfinished";
  std::ofstream file(unfinished, std::ios::binary);
  file << *text;
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const absl::Status status = FileError("write", path);
    std::remove(unfinished.c_str());
    return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<TsvTable> ReadTsv(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return FileError("read", path);
  std::vector<std::string> lines = absl::StrSplit(text.str(), '\n');
  if (!lines.back().empty()) {
    return absl::InvalidArgumentError(
        path + ": the last line does not end with a line feed");
  }
  lines.pop_back();
  TsvTable table;
  for (const std::string& line : lines) {
    std::vector<std::string> cells = absl::StrSplit(line, '\t');
    if (table.columns.empty()) {
      table.columns = std::move(cells);
      continue;
    }
    const absl::Status status = CheckRow(table, cells);
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": ", std::string(status.message())));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace oneline
