#include "bench/report/html_table.h"

#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace oneline {
namespace {

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

// A number with four digits, or all those before the decimal point; other text
// unchanged.
std::string Shown(const std::string& cell) {
  double number = 0;
  if (!absl::SimpleAtod(cell, &number)) return Escaped(cell);
  return std::abs(number) < 1000 ? absl::StrFormat("%.4g", number)
                                 : absl::StrFormat("%.0f", number);
}

const char* ClassOf(const std::string& cell) {
  double number = 0;
  return cell.empty() || absl::SimpleAtod(cell, &number) ? "" : " class=text";
}

absl::StatusOr<std::vector<size_t>> Indices(
    const TsvTable& table, const std::vector<std::string>& names) {
  std::vector<size_t> indices;
  for (const std::string& name : names) {
    indices.push_back(table.FindColumn(name));
    if (indices.back() == table.columns.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no column '", name, "'"));
    }
  }
  return indices;
}

std::string SpreadCell(const std::string& lower, const std::string& upper) {
  if (lower.empty()) return "";
  return absl::StrCat(" <span class=spread>", Shown(lower), "&ndash;",
                      Shown(upper), "</span>");
}

// Titles are aligned as the first row.
absl::StatusOr<std::string> HeadRow(const TsvTable& table,
                                    const std::vector<std::string>& first_row,
                                    const std::vector<HtmlColumn>& columns) {
  std::string html = "<tr>";
  for (const HtmlColumn& column : columns) {
    const auto at = Indices(table, {column.name});
    if (!at.ok()) return at.status();
    absl::StrAppend(&html, "<th", ClassOf(first_row[(*at)[0]]), ">",
                    column.title, "</th>");
  }
  return html + "</tr>\n";
}

absl::StatusOr<std::string> Cells(const TsvTable& table,
                                  const std::vector<std::string>& row,
                                  const std::vector<HtmlColumn>& columns) {
  std::string html;
  for (const HtmlColumn& column : columns) {
    const std::string name = column.name;
    const auto at = Indices(
        table,
        column.has_spread
            ? std::vector<std::string>{name, name + "_lower", name + "_upper"}
            : std::vector<std::string>{name});
    if (!at.ok()) return at.status();
    const std::string& cell = row[(*at)[0]];
    absl::StrAppend(&html, "<td", ClassOf(cell), ">", Shown(cell));
    if (column.has_spread) {
      absl::StrAppend(&html, SpreadCell(row[(*at)[1]], row[(*at)[2]]));
    }
    absl::StrAppend(&html, "</td>");
  }
  return html;
}

// "1000000 records", "value_bytes: 100", "RocksDB".
std::string HeadingPart(const std::string& column, const std::string& value) {
  if (column == "records" || column == "keys") {
    return absl::StrCat(value, " ", column);
  }
  if (column == "value_bytes" || column == "bits_per_key" ||
      column == "offset") {
    return absl::StrCat(absl::StrReplaceAll(column, {{"_", " "}}), ": ", value);
  }
  return column == "reads" ? "blocks from " + value : value;
}

}  // namespace

absl::StatusOr<std::string> HtmlTables(const TsvTable& table,
                                       const std::vector<std::string>& headings,
                                       const std::vector<HtmlColumn>& columns) {
  const auto heading_at = Indices(table, headings);
  if (!heading_at.ok()) return heading_at.status();
  const auto first_at = Indices(table, {columns[0].name});
  if (!first_at.ok()) return first_at.status();
  std::string html, heading, first;
  for (const std::vector<std::string>& row : table.rows) {
    std::string here;
    for (size_t at : *heading_at) {
      absl::StrAppend(&here, here.empty() ? "" : ", ",
                      HeadingPart(table.columns[at], row[at]));
    }
    if (html.empty() || here != heading) {
      const auto head = HeadRow(table, row, columns);
      if (!head.ok()) return head.status();
      absl::StrAppend(&html, html.empty() ? "" : "</table>\n", "<h3>",
                      Escaped(here), "</h3>\n<table>", *head);
      heading = here;
    }
    const auto cells = Cells(table, row, columns);
    if (!cells.ok()) return cells.status();
    absl::StrAppend(&html,
                    row[(*first_at)[0]] == first ? "<tr>" : "<tr class=first>",
                    *cells, "</tr>\n");
    first = row[(*first_at)[0]];
  }
  return html + (html.empty() ? "" : "</table>\n");
}

}  // namespace oneline
