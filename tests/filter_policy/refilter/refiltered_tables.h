// What tests of Refilter share: a call, and the filters before and after.

#ifndef ONELINE_TESTS_FILTER_POLICY_REFILTER_REFILTERED_TABLES_H_
#define ONELINE_TESTS_FILTER_POLICY_REFILTER_REFILTERED_TABLES_H_

#include "filter_policy/refilter/table_compaction.h"
#include "filter_policy/refilter/table_filter.h"
#include "oneline/refilter.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {

inline rocksdb::Options Rocksdbs() {
  return OptionsWith(PolicyNamed("bloomfilter:10:false"));
}
inline rocksdb::Options Ours() {
  return OptionsWith(PolicyNamed("oneline:10"));
}

// Without a limit, since tests have little time.
inline RefilterOptions Unlimited() {
  RefilterOptions options;
  options.bytes_per_second = 0;
  return options;
}

// Tables of one level with RocksDB's filters, in a database with our policy.
class RefilteredTables : public testing::Test {
 protected:
  // Each with half of so many keys.
  RefilteredTables(int tables, int keys, int level) : database_(Rocksdbs()) {
    for (int i = 0; i < tables; ++i) {
      database_.WriteTableTo(level, keys * i, keys * (i + 1));
    }
    database_.Reopen(Ours());
  }

  rocksdb::Status Call(const RefilterOptions& options = Unlimited()) {
    return Refilter(database_.get(), options, &report_);
  }

  ScratchDatabase database_;
  RefilterReport report_;  // of the last call
};

inline std::vector<ListedTable> TablesOf(
    const ScratchDatabase& database, const std::string& family = "default") {
  return ListTables(database.get(), family);
}

// The filters of the default column family's tables, in their order.
inline std::vector<TableFilter> FiltersOf(const ScratchDatabase& database) {
  std::vector<TableFilter> filters;
  for (const ListedTable& table : TablesOf(database)) {
    EXPECT_TRUE(IsOk(ReadTableFilter(database->GetOptions(), PathOf(table),
                                     &filters.emplace_back())));
  }
  return filters;
}

// How many tables have each kind of filter, and are in each level.
inline std::map<std::string, int> KindsOf(const ScratchDatabase& database) {
  std::map<std::string, int> kinds;
  for (const TableFilter& filter : FiltersOf(database)) {
    ++kinds[NameOf(filter.kind)];
  }
  return kinds;
}
inline std::map<int, int> TablesByLevel(const ScratchDatabase& database) {
  std::map<int, int> levels;
  for (const ListedTable& table : TablesOf(database)) ++levels[table.level];
  return levels;
}

// Moves the tables down without writing them again.
inline void MoveTo(int level, const ScratchDatabase& database) {
  rocksdb::CompactRangeOptions options;
  options.change_level = true;
  options.target_level = level;
  options.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kSkip;
  EXPECT_TRUE(IsOk(database->CompactRange(options, nullptr, nullptr)));
}

// The bits per key of the next tables.
inline void SetBits(const std::string& bits, const ScratchDatabase& database,
                    rocksdb::ColumnFamilyHandle* family = nullptr) {
  EXPECT_TRUE(IsOk(SetFilterOptions(database, "bits_per_key=" + bits,
                                    Form::kDotted, family)));
}

// Changes a byte in the middle of the file, which is one of data.
inline void Damage(const std::string& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(2000);
  const int byte = file.get();
  file.seekp(2000);
  file.put(static_cast<char>(byte ^ 1));
}

// A call that leaves no table.
inline RefilterReport RefilterAll(const ScratchDatabase& database,
                                  RefilterOptions options = Unlimited()) {
  RefilterReport report;
  EXPECT_TRUE(IsOk(Refilter(database.get(), options, &report)));
  EXPECT_TRUE(report.left.empty());
  EXPECT_EQ(report.tables_found, report.tables_rewritten);
  EXPECT_EQ(report.bytes_found, report.bytes_rewritten);
  return report;
}

// A call that leaves so many tables, as it can't rewrite them.
inline void ExpectNotSupported(const ScratchDatabase& database, size_t left) {
  RefilterReport report;
  const rocksdb::Status status = Refilter(database.get(), Unlimited(), &report);
  EXPECT_TRUE(status.IsIncomplete()) << status.ToString();
  ASSERT_EQ(report.left.size(), left);
  EXPECT_TRUE(report.left[0].status.IsNotSupported());
}

// A call that finds nothing to do, and writes no table.
inline void ExpectNothingToDo(const ScratchDatabase& database) {
  const std::vector<std::string> before = database.TableFiles();
  const RefilterReport report = RefilterAll(database);
  EXPECT_EQ(report.tables_found, 0u);
  EXPECT_EQ(report.tables, before.size());
  EXPECT_EQ(report.filter_bytes_before, report.filter_bytes_after);
  EXPECT_EQ(database.TableFiles(), before);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_REFILTER_REFILTERED_TABLES_H_
