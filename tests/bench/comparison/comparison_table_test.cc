// Tests of bench/comparison/comparison_table.h: each number is in its column.

#include "bench/comparison/comparison_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace oneline {
namespace {

// A database that has only a name and filters.
class NamedDatabase final : public Database {
 public:
  explicit NamedDatabase(const std::string& name) : Database(name) {
    entries_ = 100;
    filter_bytes_ = 125;
  }
  bool has_filter() const override { return true; }
  absl::StatusOr<WriteCost> Load(const Records&, const LoadPlan&,
                                 Progress*) override {
    return WriteCost();
  }
  absl::Status OpenForLookups(const Reads&) override {
    return absl::OkStatus();
  }
  void Close() override {}
  absl::Status Get(const Lookup&) override { return absl::OkStatus(); }
  LookupCounts TakeCounts() override { return {}; }
};

std::string Cell(const TsvTable& table, size_t row, const std::string& column) {
  return table.rows.at(row).at(table.FindColumn(column));
}

Measured MeasuredWith(const std::vector<double>& micros) {
  Measured measured;
  measured.lookups = 2000;
  measured.counts.checks = 12000;
  measured.counts.skipped = 11900;
  measured.counts.true_positives = 60;
  measured.counts.block_reads = 90;
  measured.wall_micros = micros;
  measured.cpu_micros = {3, 1, 2};
  measured.latency_micros = {1, 2, 3, 4};
  return measured;
}

TEST(ComparisonTableTest, RowsHaveWhatWasMeasured) {
  Databases databases;
  databases.push_back(std::make_unique<NamedDatabase>("bloom"));
  databases.push_back(std::make_unique<NamedDatabase>("ours"));
  TsvTable table = NewLookupTable();
  AddLookupRows({"RocksDB", "random", "100", "7", "disk", "absent"}, databases,
                {MeasuredWith({4, 8, 2}), MeasuredWith({2, 4, 2})}, "bloom",
                &table);
  ASSERT_TRUE(TsvText(table).ok());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(Cell(table, 1, "store"), "RocksDB");
  EXPECT_EQ(Cell(table, 1, "workload"), "absent");
  EXPECT_EQ(Cell(table, 1, "filter"), "ours");
  EXPECT_EQ(Cell(table, 1, "lookups"), "2000");
  EXPECT_EQ(Cell(table, 0, "ops_per_s"), "250000");
  EXPECT_EQ(Cell(table, 0, "ops_per_s_lower"), "187500");
  EXPECT_EQ(Cell(table, 0, "ratio"), "1");
  EXPECT_EQ(Cell(table, 1, "ratio"), "2");  // the median over the rounds
  EXPECT_EQ(Cell(table, 1, "ratio_lower"), "1.5");
  EXPECT_EQ(Cell(table, 1, "p50_us"), "2");
  EXPECT_EQ(Cell(table, 1, "p99_us"), "4");
  EXPECT_EQ(Cell(table, 1, "cpu_us"), "2");
  EXPECT_EQ(Cell(table, 1, "checks"), "6");
  EXPECT_EQ(Cell(table, 1, "false_positives"), "20");
  EXPECT_EQ(Cell(table, 1, "block_reads"), "45");
  EXPECT_EQ(Cell(table, 1, "filter_bits"), "10");
}

TEST(ComparisonTableTest, WriteCostsAreComparedRoundByRound) {
  const auto cost = [](double fill, double compaction) {
    WriteCost one;
    one.flushes = {fill, fill / 2};
    one.compactions = {compaction, compaction / 2};
    return one;
  };
  const std::vector<WriteCosts> costs = {
      {"bloom", {cost(1, 1), cost(2, 2), cost(9, 9)}, 10},
      {"ours", {cost(2, 3), cost(4, 6), cost(18, 27)}, 10}};
  TsvTable table = NewWriteTable();
  AddWriteRows({"RocksDB", "random", "100", "7", "", ""}, costs, "bloom",
               &table);
  ASSERT_TRUE(TsvText(table).ok());
  EXPECT_EQ(Cell(table, 1, "fill_s"), "4");
  EXPECT_EQ(Cell(table, 1, "fill_ratio"), "2");
  EXPECT_EQ(Cell(table, 1, "compact_ratio"), "3");
  EXPECT_EQ(Cell(table, 1, "cpu_s"), "5");
  EXPECT_EQ(Cell(table, 1, "cpu_ratio_upper"), "2.5");
  EXPECT_EQ(Cell(table, 0, "cpu_ratio"), "1");
}

}  // namespace
}  // namespace oneline
