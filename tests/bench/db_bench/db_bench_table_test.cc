// Tests of bench/db_bench/db_bench_table.h.

#include "bench/db_bench/db_bench_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace oneline {
namespace {

TsvTable Runs() {
  return {{"setting", "filter", "round", "fill_ops_per_s", "ops_per_s", "reads",
           "found", "useful", "positive"},
          {{"s", "none", "0", "9", "10", "100", "0", "0", "0"},
           {"s", "bloom", "0", "9", "100", "1000", "0", "1980", "20"},
           {"s", "ours", "0", "8", "200", "1000", "0", "1996", "4"},
           {"s", "none", "1", "9", "10", "100", "0", "0", "0"},
           {"s", "bloom", "1", "9", "50", "1000", "0", "1980", "20"},
           {"s", "ours", "1", "8", "150", "1000", "0", "1996", "4"}}};
}

std::string Cell(const TsvTable& table, size_t row, const std::string& column) {
  return table.rows.at(row).at(table.FindColumn(column));
}

TEST(DbBenchTableTest, RunsAreComparedRoundByRound) {
  const auto table = SummarizeDbBench(Runs(), "bloom", "none");
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_EQ(table->rows.size(), 3u);
  EXPECT_EQ(Cell(*table, 2, "filter"), "ours");
  EXPECT_EQ(Cell(*table, 2, "ops_per_s"), "175");
  EXPECT_EQ(Cell(*table, 2, "ratio"), "2.5");
  EXPECT_EQ(Cell(*table, 2, "checks"), "2");
  EXPECT_EQ(Cell(*table, 2, "false_positives"), "4");
  EXPECT_EQ(Cell(*table, 1, "false_positives"), "20");
  EXPECT_EQ(Cell(*table, 0, "checks"), "0");
}

std::string ErrorOf(const TsvTable& runs) {
  return std::string(
      SummarizeDbBench(runs, "bloom", "none").status().message());
}

TEST(DbBenchTableTest, NoticesAnUnusedFilter) {
  TsvTable runs = Runs();
  for (const size_t row : {2, 5}) runs.rows[row][7] = "0";
  EXPECT_EQ(ErrorOf(runs),
            "db_bench, 'ours': the filter was not used: it skipped no table");
}

TEST(DbBenchTableTest, NoticesAMissingKeyThatWasFound) {
  TsvTable runs = Runs();
  runs.rows[5][6] = "1";
  EXPECT_EQ(ErrorOf(runs), "db_bench, 'ours': a missing key was found");
}

TEST(DbBenchTableTest, NoticesAMissingOrDamagedRun) {
  TsvTable runs = Runs();
  runs.rows.pop_back();
  EXPECT_EQ(ErrorOf(runs), "db_bench, 'ours': 1 rounds, but 2 of 'bloom'");
  runs = Runs();
  runs.rows[4][4] = "";
  EXPECT_EQ(ErrorOf(runs), "a run of db_bench has no number 'ops_per_s'");
  runs.rows.resize(1);
  EXPECT_EQ(ErrorOf(runs),
            "there are no runs of db_bench with the filter 'bloom'");
}

}  // namespace
}  // namespace oneline
