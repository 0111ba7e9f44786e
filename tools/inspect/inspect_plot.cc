// `oneline inspect --svg`.

#include <string>

#include "absl/strings/str_cat.h"
#include "tools/inspect/inspect_report.h"
#include "tools/text/gnuplot.h"

namespace oneline {
namespace {

// The x axis of the plot: all tables that have a filter, side by side, ordered
// by column family and level.
struct Row {
  std::string points;       // one line "x predicted measured" for each table
  std::string level_names;  // for `set xtics`
  std::string boundaries;   // vertical lines between levels
  size_t tables = 0;
};

// Ends the level whose tables began at x = `first`.
void EndLevel(const std::string& name, size_t first, Row* row) {
  if (row->tables == first) return;
  absl::StrAppend(
      &row->level_names, row->level_names.empty() ? "" : ", ",
      GnuplotText(name), " ",
      (static_cast<double>(first) + static_cast<double>(row->tables) - 1) / 2);
  absl::StrAppend(&row->boundaries, "set arrow from ",
                  static_cast<double>(row->tables) - 0.5,
                  ", graph 0 rto 0, graph 1 nohead lc rgb '#dddddd'\n");
}

Row TablesInARow(const std::vector<InspectedFamily>& families) {
  Row row;
  for (const InspectedFamily& family : families) {
    size_t first = row.tables;
    int level = -1;
    const auto end_level = [&] {
      EndLevel(absl::StrCat(families.size() > 1 ? family.name : "",
                            families.size() > 1 ? " " : "",
                            level < 0 ? "" : absl::StrCat("L", level)),
               first, &row);
      first = row.tables;
    };
    for (const InspectedTable& table : family.tables) {
      if (table.blocks == 0) continue;
      if (table.file.level != level) end_level();
      level = table.file.level;
      absl::StrAppend(&row.points, row.tables, " ", table.fp_rate, " ",
                      table.measured_fp_rate.has_value()
                          ? absl::StrCat(*table.measured_fp_rate)
                          : "NaN",
                      "\n");
      ++row.tables;
    }
    end_level();
  }
  return row;
}

std::string RatesPlot(const Row& row) {
  return absl::StrCat(
      "$rates << END\n", row.points, "END\n",
      "set title 'False-positive rate of each table'\n"
      "set logscale y\n"
      "set format y '%g %%'\n"
      "set ylabel 'absent keys that pass'\n"
      "set xlabel 'tables, by level'\n",
      "set xrange [-0.5:", static_cast<double>(row.tables) - 0.5, "]\n",
      row.boundaries, "set xtics scale 0 (", row.level_names, ")\n",
      "plot $rates using 1:(100*$2) with points pt 6 ps 1 lc rgb '#1f6feb'"
      " title 'predicted by the filter''s bits',"
      " '' using 1:($3 > 0 ? 100*$3 : NaN) with points pt 2 ps 0.7"
      " lc rgb '#d1242f' title 'measured with random keys'\n"
      "unset arrow\n"
      "unset logscale\n"
      "set format y '%g'\n"
      "set xtics autofreq scale 1\n");
}

std::string LinesPlot(const KeysPerLine& lines) {
  std::string points;
  for (size_t keys = 0; keys < lines.lines().size(); ++keys) {
    if (lines.lines()[keys] == 0 && lines.expected()[keys] < 0.01) continue;
    absl::StrAppend(&points, keys, " ", lines.lines()[keys], " ",
                    lines.expected()[keys], "\n");
  }
  return absl::StrCat(
      "$lines << END\n", points, "END\n",
      "set title 'Keys per line'\n"
      "set xlabel 'keys'\n"
      "set ylabel 'lines'\n"
      "set xrange [*:*]\n"
      "set yrange [0:*]\n"
      "set boxwidth 0.8\n"
      "set style fill solid 0.5 noborder\n"
      "plot $lines using 1:2 with boxes lc rgb '#1f6feb' title 'counted',"
      " '' using 1:3 with lines lw 2 lc rgb '#d1242f'"
      " title 'by chance (Poisson)'\n");
}

}  // namespace

absl::Status PlotInspected(const std::vector<InspectedFamily>& families,
                           const std::string& path) {
  const Row row = TablesInARow(families);
  const KeysPerLine lines = AllKeysPerLine(families);
  if (row.tables == 0) {
    return absl::FailedPreconditionError(
        "--svg: there is nothing to plot: no table has a filter that can be"
        " read");
  }
  const bool both = lines.num_lines() > 0;
  return WriteSvg(
      absl::StrCat("set multiplot layout ", both ? 2 : 1,
                   ",1\nset grid y lc rgb '#eeeeee'\nset key top right\n"
                   "set border 3\nset tics nomirror\n",
                   RatesPlot(row), both ? LinesPlot(lines) : "",
                   "unset multiplot\n"),
      900, both ? 800 : 420, path);
}

}  // namespace oneline
