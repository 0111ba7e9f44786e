// `oneline doctor` on databases whose tables have not the filters that the
// options ask for, and on healthy ones: tools/doctor/check_tables.cc. More
// healthy ones are in the library's refilter_layouts_test.cc: a Refilter that
// finds nothing to do asks the same of their tables.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/size_class_allocator.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

TEST(CheckTablesTest, FindsUnusedFilters) {
  for (const char* name : {"oneline:10", "bloomfilter:10:false"}) {
    ScratchDatabase database(OptionsWith(PolicyNamed(name)), 1000);
    // Twice, so that neither OPTIONS file has the policy.
    database.Reopen(OptionsWith(nullptr));
    database.Reopen(OptionsWith(nullptr));
    database.WriteTable(0, 1000);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), Kinds{"policy-gone"});
    EXPECT_EQ(report.finding(0)["levels"][0]["tables"], 1);
  }
}

// optimize_filters_for_memory, the default since 9.2, rounds the sizes of
// filters by up to a third; ours tell what they were rounded from.
TEST(CheckTablesTest, FindsOtherBitsBesideRoundedSizes) {
  rocksdb::BlockBasedTableOptions table;
  table.optimize_filters_for_memory = true;
  table.block_cache = SizeClassCache();
  for (const auto& [from, to] : {std::pair(10, 11), {11, 10}}) {
    ScratchDatabase database(OptionsWith(OurPolicy(from), table), 20000);
    database.Reopen(OptionsWith(OurPolicy(to), table));
    database.WriteTable(0, 20000);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), Kinds{"other-bits"});
    EXPECT_EQ(report.finding(0)["levels"][0]["tables"], 1);
  }
}

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
           {"oneline:10", "{id=oneline;max_filter_bytes=10000}", "other-bits"},
           {"oneline:10", "oneline:11", "other-bits"},
           {"oneline:20", "oneline:12", "other-bits"},
           {"oneline:12", "{id=oneline;bits_by_level=false}", "other-bits"},
           {"oneline:10", "oneline:0", "other-bits"},
           {"oneline:10", "{id=oneline;hits=0.9}", "other-bits"},
           {"{id=oneline;hits=0.9}", "oneline:11", "other-bits"},
           {"oneline:10", "{id=oneline;hits=1}", "other-bits"},
           {"ribbonfilter:12:-1", "ribbonfilter:10:-1", "other-bits"}}) {
    SCOPED_TRACE(std::string(from) + " to " + to);
    rocksdb::BlockBasedTableOptions table;
    table.optimize_filters_for_memory = false;
    ScratchDatabase database(OptionsWith(PolicyNamed(from), table), 20000);
    database.CompactAll();
    database.Reopen(OptionsWith(PolicyNamed(to), table));
    database.WriteTable(0, 20000);
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), Kinds{finding});
    // Lookups use the filters, unless they are ignored.
    EXPECT_EQ(report.has_fault(), finding == std::string("ignored-filter"));
    const Json levels = report.finding(0)["levels"];
    ASSERT_EQ(levels.size(), 1u);
    EXPECT_GT(levels[0]["level"], 0);
    EXPECT_EQ(levels[0]["tables"], 1);
    EXPECT_EQ(levels[0]["keys"], 10000);
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
    EXPECT_EQ(levels[0]["most_expected_bytes"], nullptr);
  }
}

// With bits by level there is no one right size: a table has the fewest bits in
// the last level, and up to 16 in others.
TEST(CheckTablesTest, SaysFromWhatToWhatSizesAreRight) {
  for (const bool by_level : {true, false}) {
    ScratchDatabase database(OptionsWith(PolicyNamed("oneline:20")), 40000);
    database.Reopen(OptionsWith(PolicyNamed(
        by_level ? "oneline:12" : "{id=oneline:12;bits_by_level=false}")));
    const DoctorReport report = RunDoctor(database);
    ASSERT_EQ(report.kinds(), Kinds{"other-bits"});
    const Json level = report.finding(0)["levels"][0];
    const double last = by_level ? 11.36 : 12;  // of static level sizes
    EXPECT_NEAR(level["expected_bytes"].number(), 20000 * last / 8, 100);
    EXPECT_NEAR(level["most_expected_bytes"].number(),
                20000 * (by_level ? 16 : 12) / 8, 100);
    const std::string text = RunOneline("doctor " + database.path()).out;
    EXPECT_TRUE(Contains(text, by_level
                                   ? "20.03 bits per key, expected 11."
                                   : "20.03 bits per key, expected 12.02\n"));
    EXPECT_EQ(Contains(text, " to 16.01\n"), by_level);
  }
}

// Of tables that were moved, and of tables that were compacted to their levels:
// those above the last one have more bits than were asked for. Of 1.45 bits a
// Ribbon is made there, and a Bloom filter in the last level.
TEST(DoctorHealthyTest, EveryPolicyIsHealthy) {
  for (const std::string name :
       {"nullptr", "oneline", "oneline:15", "oneline:3", "oneline:1.45",
        "oneline:1", "oneline:0", "{id=oneline;kind=bloom;bits_per_key=16.5}",
        "{id=oneline;kind=bloom}",
        "{id=oneline;fp_rate=0.0002;bloom_before_level=3}",
        "{id=oneline;bits_per_key=5;hits=0.9}", "{id=oneline;hits=1}",
        "{id=oneline;level_bits_per_key=14:12:10:8:6:3}",
        "{id=oneline:1;bits_by_level=false}", "bloomfilter:10:false",
        "ribbonfilter:10:0", "ribbonfilter:16:3"}) {
    for (const bool rounded : {false, true}) {
      SCOPED_TRACE(name);
      rocksdb::BlockBasedTableOptions table;
      table.optimize_filters_for_memory = rounded;
      table.block_cache = SizeClassCache();
      const rocksdb::Options options =
          OptionsWith(name == "nullptr" ? nullptr : PolicyNamed(name), table);
      ScratchDatabase empty(options), moved(options), compacted(options);
      Fill(moved);
      for (const int level : {5, 2}) {
        compacted.WriteTable(0, 8000 * level);
        compacted.CompactLevel0To(level);
      }
      for (ScratchDatabase* database : {&empty, &moved, &compacted}) {
        ExpectHealthy(*database);
      }
    }
  }
}

TEST(DoctorHealthyTest, EveryLayoutIsHealthy) {
  for (const char* name :
       {"oneline:10", "bloomfilter:10:false", "ribbonfilter:10:0"}) {
    for (const TableLayout& layout : LayoutsOnDisk()) {
      SCOPED_TRACE(testing::Message() << name << layout);
      ScratchDatabase database(OptionsFor(layout, PolicyNamed(name)));
      Fill(database);
      ExpectHealthy(database);
    }
  }
}

// Tables that exceed it are as the options ask; a note tells of them. With bits
// by level a table of level 0 gets 14 bits per key, of which 60 kB leave 12: no
// fewer than the options ask for.
TEST(DoctorHealthyTest, LimitedFiltersAreHealthy) {
  for (const std::string options :
       {"bits_by_level=true", "bits_by_level=false", "kind=bloom"}) {
    for (const auto& [limit, rounded] : {std::pair("100000", false),
                                         {"60000", true},
                                         {"60000", false},
                                         {"20000", true},
                                         {"4096", false},
                                         {"4096", true}}) {
      SCOPED_TRACE(options + limit);
      rocksdb::BlockBasedTableOptions table;
      table.optimize_filters_for_memory = rounded;
      table.block_cache = SizeClassCache();
      ScratchDatabase database(
          OptionsWith(PolicyNamed("{id=oneline;" + options +
                                  ";max_filter_bytes=" + limit + "}"),
                      table),
          10);
      database.CompactAll();  // before one level 0 gets no more than others
      database.WriteTable(0, 80000);  // 50 kB at 10 bits per key, 70 at 14
      database.WriteTable(0, 2000);
      const DoctorReport report = RunDoctor(database);
      EXPECT_EQ(report.kinds(), Kinds{});
      const Json notes = report.json["notes"];
      const bool fits = std::stoi(limit) >= 60000;
      ASSERT_EQ(notes.size(), fits ? 0u : 1u) << notes;
      if (fits) continue;
      const std::string note = notes[0].text();
      EXPECT_TRUE(
          Contains(note, "'default': 1 of 3 tables has fewer bits per key"))
          << note;
      EXPECT_TRUE(Contains(note, std::string("max_filter_bytes=") + limit));
    }
  }
}

}  // namespace
}  // namespace oneline
