// `oneline doctor` on databases whose program keeps statistics.

#include <chrono>

#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

constexpr int kLookups = 240000;  // of which a sample has 100,000 or more

rocksdb::Options WithStatistics(const PolicyPtr& policy,
                                rocksdb::BlockBasedTableOptions table = {}) {
  rocksdb::Options options = OptionsWith(policy, table);
  options.stats_dump_period_sec = 0;
  return options;
}

size_t Dumps(const ScratchDatabase& database) {
  const std::string log = ReadWholeFile(database.path() + "/LOG");
  size_t n = 0;
  for (size_t at = 0; (at = log.find("] STATISTICS:", at)) != log.npos; ++at) {
    ++n;
  }
  return n;
}

// The report after RocksDB has written all statistics, which it does at once
// when they get a period.
DoctorReport ReportOf(const ScratchDatabase& database) {
  const size_t before = Dumps(database);
  EXPECT_TRUE(IsOk(database->SetDBOptions({{"stats_dump_period_sec", "1"}})));
  while (Dumps(database) == before) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // Waits for the end of what it writes.
  EXPECT_TRUE(IsOk(database->SetDBOptions({{"stats_dump_period_sec", "0"}})));
  return RunDoctor(database.path());
}

// Of even keys, which are there, and of odd ones.
void LookUp(const ScratchDatabase& database, int keys, int first, int step) {
  std::string value;
  for (int i = 0; i < kLookups; ++i) {
    const int key = (first + i * step) % keys;
    ASSERT_EQ(database->Get({}, KeyAt(key), &value).ok(), key % 2 == 0);
  }
}

// The report after such lookups.
DoctorReport After(const ScratchDatabase& database, int keys, int first,
                   int step) {
  LookUp(database, keys, first, step);
  return ReportOf(database);
}

bool SaysInLog(const std::string& text) {
  return Contains(text, "By the statistics in the LOG ") &&
         Contains(text, " lookups, ");
}

TEST(CheckStatisticsTest, NotesTheFalsePositiveRateBesideTheOneExpected) {
  const PolicyPtr policy =
      PolicyNamed("{id=oneline;bits_per_key=8;bits_by_level=false}");
  ScratchDatabase database(WithStatistics(policy), 50000);
  database.CompactAll();
  const DoctorReport report = After(database, 50000, 1, 2);
  EXPECT_EQ(report.kinds(), Kinds{});
  const Json notes = report.json["notes"];
  ASSERT_GE(notes.size(), 2u);
  EXPECT_TRUE(SaysInLog(notes[0].text())) << notes;
  EXPECT_TRUE(Contains(notes[1].text(), "filters said maybe to "));
  const Json statistics = report.json["statistics"];
  EXPECT_GE(statistics["lookups"].number(), 100000);
  EXPECT_GE(statistics["filter_queries"].number(), 100000);
  const double expected = statistics["lowest_expected_fp_rate"].number();
  EXPECT_EQ(statistics["highest_expected_fp_rate"], expected);
  EXPECT_GT(expected, 0.003);
  EXPECT_LT(expected, 0.008);
  EXPECT_NEAR(statistics["fp_rate"].number() / expected, 1, 0.5);

  // The new run has none yet.
  database.Reopen(OptionsWith(policy));
  const DoctorReport later = RunDoctor(database.path());
  EXPECT_EQ(later.json["statistics"], nullptr);
  // How many lookups find their key is still the same.
  EXPECT_EQ(later.json["hits"], 0);
  EXPECT_TRUE(Contains(RunOneline("doctor " + database.path()).out,
                       "0 % of the lookups that came to the last level"));
}

TEST(CheckStatisticsTest, FindsFiltersThatNobodyAsks) {
  ScratchDatabase database(WithStatistics(OurPolicy(10)), 1000);
  const std::unique_ptr<rocksdb::Iterator> it(database->NewIterator({}));
  for (int i = 0; i < kLookups; ++i) it->Seek(KeyAt(i % 1000));
  const DoctorReport report = ReportOf(database);
  ExpectFinding(report, "never-asked", {"no filter was queried"});
  for (const char* unknown :
       {"fp_rate", "lowest_expected_fp_rate", "highest_expected_fp_rate"}) {
    EXPECT_EQ(report.json["statistics"][unknown], nullptr) << unknown;
  }
  EXPECT_FALSE(report.has_fault());
  EXPECT_TRUE(SaysInLog(report.what(0))) << report.what(0);
}

// The key found is in memory: no filter was needed.
TEST(CheckStatisticsTest, LookupsThatEndInMemoryAskNoFilter) {
  ScratchDatabase database(WithStatistics(OurPolicy(10)), 1000);
  database.Put(0, 1000);
  EXPECT_EQ(After(database, 1000, 0, 2).kinds(), Kinds{});
}

TEST(CheckStatisticsTest, FindsThatNearlyAllLookupsHit) {
  rocksdb::Options options = WithStatistics(OurPolicy(10));
  ScratchDatabase database(options, 2000);
  database.CompactLevel0To(4);
  const DoctorReport report = After(database, 2000, 0, 2);
  ExpectFinding(report, "mostly-hits", {"100 % of the lookups that came"});
  EXPECT_FALSE(report.has_fault());
  // With hits=1 there would be no filters.
  EXPECT_TRUE(Contains(report.remedy(0), "Set hits=0.999 in"));
  EXPECT_EQ(report.json["hits"], 1);
  // It is as it should be.
  options.optimize_filters_for_hits = true;
  database.Reopen(options);
  EXPECT_EQ(After(database, 2000, 0, 2).kinds(), Kinds{});
}

// The option hits says how many there should be.
TEST(CheckStatisticsTest, ComparesHitsWithTheOption) {
  ScratchDatabase database(WithStatistics(PolicyNamed("{id=oneline;hits=0.9}")),
                           2000);
  database.CompactLevel0To(4);
  const DoctorReport report = After(database, 2000, 0, 1);  // half of them
  ExpectFinding(report, "fewer-hits", {"the policy has hits=0.9"});
  EXPECT_FALSE(report.has_fault());
  EXPECT_NEAR(report.json["hits"].number(), 0.5, 0.01);
  // Without filters in the last level none waste reads, whatever those above
  // it meet.
  database.Reopen(WithStatistics(PolicyNamed("{id=oneline;hits=1}")));
  database.CompactAll();
  database.WriteTable(0, 1000);
  database.CompactLevel0To(2);
  // Of a thousand absent keys, a few more than expected may match its filter.
  const Kinds kinds = After(database, 2000, 0, 1).kinds();
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "fewer-hits"), 0);
  // As many as it says.
  database.Reopen(WithStatistics(PolicyNamed("{id=oneline;hits=0.5}")));
  database.CompactAll();
  EXPECT_EQ(After(database, 2000, 0, 1).kinds(), Kinds{});
}

// The statistics are of the filters before.
TEST(CheckStatisticsTest, NewFiltersAreNotJudgedByOldStatistics) {
  const PolicyPtr policy = PolicyNamed("{id=oneline;bits_per_key=4}");
  ScratchDatabase database(WithStatistics(policy), 50000);
  LookUp(database, 50000, 1, 2);
  ASSERT_TRUE(IsOk(database->SetOptions(
      {{"table_factory.filter_policy.bits_per_key", "16"}})));
  database.CompactAll();
  const DoctorReport report = ReportOf(database);
  EXPECT_EQ(report.kinds(), Kinds{});
  EXPECT_GT(report.json["statistics"]["fp_rate"].number(), 0.02);
  EXPECT_TRUE(Contains(report.json["notes"][1].text(),
                       ", but some are newer than the statistics."));
}

// RocksDB's policy takes our filters for filters that pass every key.
TEST(CheckStatisticsTest, FindsFiltersThatPassTooManyKeys) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 2000);
  database.Reopen(WithStatistics(PolicyNamed("bloomfilter:10:false")));
  const DoctorReport report = After(database, 2000, 1, 2);
  ASSERT_EQ(report.kinds(), (Kinds{"ignored-filter", "false-positives"}));
  EXPECT_TRUE(report.has_fault());
  EXPECT_TRUE(SaysInLog(report.what(1))) << report.what(1);
  EXPECT_TRUE(Contains(report.what(1), "said maybe to 100 % of"));
}

}  // namespace
}  // namespace oneline
