// `oneline doctor` on databases whose tables have not the filters that the
// options ask for: tools/doctor/check_expected_filters.cc. Healthy ones are in
// the library's refilter_layouts_test.cc and expected_filter_test.cc: a
// Refilter that finds nothing to do asks the same of their tables.

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

// A table that can't be read does not keep the others from being examined. It
// is named. (command_promises_test.cc has one without permission.)
TEST(CheckTablesTest, FindsOthersBesideATableThatCanNotBeRead) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  const std::string file = database.TableFiles()[0];
  database.Reopen(OptionsWith(nullptr));
  database.WriteTable(1000, 2000);
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.Close();
  std::filesystem::resize_file(file, 100);
  const DoctorReport damaged = RunDoctor(database.path());
  EXPECT_EQ(damaged.kinds(), (Kinds{"unreadable-table", "no-filter"}));
  EXPECT_TRUE(Contains(damaged.what(0), file));
}

TEST(CheckTablesTest, FindsOtherKindsAndBits) {
  for (const auto& [from, to, finding] :
       std::vector<std::array<const char*, 3>>{
           {"bloomfilter:10:false", "oneline:10", "other-kind"},
           {"oneline:10", "bloomfilter:10:false", "ignored-filter"},
           {"ribbonfilter:10:-1", "bloomfilter:10:false", "other-kind"},
           {"oneline:10", "{id=oneline;kind=bloom}", "other-kind"},
           {"oneline:10", "{id=oneline;max_filter_bytes=5000}", "other-bits"},
           {"oneline:10", "oneline:11", "other-bits"},
           {"oneline:12", "{id=oneline;bits_by_level=false}", "other-bits"},
           {"oneline:10", "{id=oneline;hits=1}", "other-bits"},
           {"ribbonfilter:12:-1", "ribbonfilter:10:-1", "other-bits"}}) {
    SCOPED_TRACE(std::string(from) + " to " + to);
    rocksdb::BlockBasedTableOptions table;
    table.optimize_filters_for_memory = false;
    ScratchDatabase database(OptionsWith(PolicyNamed(from), table), 10000);
    database.CompactAll();
    database.Reopen(OptionsWith(PolicyNamed(to), table));
    database.WriteTable(0, 10000);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), Kinds{finding});
    // Lookups use the filters, unless they are ignored.
    EXPECT_EQ(report.has_fault(), finding == std::string("ignored-filter"));
    const Json levels = report.finding(0)["levels"];
    ASSERT_EQ(levels.size(), 1u);
    EXPECT_EQ(levels[0]["tables"], 1);
    EXPECT_EQ(levels[0]["keys"], 5000);
    EXPECT_GT(levels[0]["filter_bytes"], 0);
    // Compaction writes the wanted filters.
    database.Reopen(OptionsWith(PolicyNamed(to), table));
    database.CompactAll();
    ExpectHealthy(database);
  }
}

// Although the last level gets no filter.
TEST(CheckTablesTest, FindsNoFilterAboveTheLastLevel) {
  for (const bool by_rocksdb : {true, false}) {
    ScratchDatabase database(OptionsWith(nullptr));
    for (const int level : {4, 2}) {
      database.WriteTable(0, 2000);
      database.CompactLevel0To(level);
    }
    rocksdb::Options options = OptionsWith(
        PolicyNamed(by_rocksdb ? "oneline" : "{id=oneline;hits=1}"));
    options.optimize_filters_for_hits = by_rocksdb;
    database.Reopen(options);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), Kinds{"no-filter"});
    const Json levels = report.finding(0)["levels"];
    ASSERT_EQ(levels.size(), 1u) << levels;
    EXPECT_EQ(levels[0]["level"], 2);
    EXPECT_EQ(levels[0]["expected_bytes"], nullptr);
  }
}

}  // namespace
}  // namespace oneline
