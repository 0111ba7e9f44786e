// Plots wasted reads against memory.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tools/advise/advice_report.h"
#include "tools/text/gnuplot.h"

namespace oneline {
namespace {

constexpr int kPoints = 60;

// A unit of memory in which the numbers on the axis are short.
struct Unit {
  const char* name;
  double bytes;
};

Unit UnitFor(double bytes) {
  constexpr double kKi = 1024;
  if (bytes < kKi * kKi) return {"KiB", kKi};
  if (bytes < 4 * kKi * kKi * kKi) return {"MiB", kKi * kKi};
  return {"GiB", kKi * kKi * kKi};
}

// Lines "memory by_level uniform", for memory from 1 bit per key to
// `max_bytes`. `unit`: that of memory, in bytes.
std::string Curve(const Advice& advice, double max_bytes, double unit) {
  const double keys = static_cast<double>(TotalsOf(advice.families).keys);
  const double min_bytes = keys / 8;
  std::string points;
  for (int i = 0; i <= kPoints; ++i) {
    const double bytes = min_bytes + (max_bytes - min_bytes) * i / kPoints;
    std::vector<ColumnFamilyAdvice> by_level, uniform;
    for (const ColumnFamilyModel& model : advice.models) {
      const double share = bytes * static_cast<double>(model.keys()) / keys;
      by_level.push_back(model.WithMemory(share));
      uniform.push_back(model.WithUniformMemory(share));
    }
    absl::StrAppend(&points, bytes / unit, " ",
                    TotalsOf(by_level).proposed.false_positives, " ",
                    TotalsOf(uniform).proposed.false_positives, "\n");
  }
  return points;
}

std::string Point(const FilterCost& cost, double unit) {
  // A logarithmic axis can't show 0.
  return absl::StrCat(cost.bytes / unit, " ",
                      std::max(cost.false_positives, 1e-12));
}

}  // namespace

absl::Status PlotAdvice(const Advice& advice, const std::string& path) {
  const Totals totals = TotalsOf(advice.families);
  const double max_bytes =
      std::max({1.5 * totals.current.bytes, 1.5 * totals.proposed.bytes,
                2.0 * static_cast<double>(totals.keys)});  // 16 bits per key
  const Unit unit = UnitFor(max_bytes);
  const std::string script = absl::StrCat(
      "$curve << END\n", Curve(advice, max_bytes, unit.bytes), "END\n",
      "$now << END\n", Point(totals.current, unit.bytes), "\nEND\n",
      "$proposed << END\n", Point(totals.proposed, unit.bytes), "\nEND\n",
      "set title 'Wasted reads of a lookup'\n"
      "set logscale y\n"
      "set format y '%g'\n"
      "set ylabel 'expected false positives of all runs'\n"
      "set xlabel 'memory of all filters, ",
      unit.name,
      "'\n"
      "set xrange [0:*]\n"
      "set grid lc rgb '#dddddd'\n"
      "plot $curve using 1:3 with lines lw 2 dt 2 lc rgb '#6e7781'"
      " title 'oneline, the same bits on all levels',"
      " '' using 1:2 with lines lw 2 lc rgb '#1f6feb'"
      " title 'oneline, bits by level',"
      " $now with points pt 7 ps 1.2 lc rgb '#d1242f' title 'today',"
      " $proposed with points pt 9 ps 1.5 lc rgb '#1a7f37' title 'proposed'\n");
  return WriteSvg(script, 800, 500, path);
}

}  // namespace oneline
