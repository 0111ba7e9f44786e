// `oneline doctor` finds nothing wrong in healthy databases. More of them are
// in the library's refilter_layouts_test.cc: a Refilter that finds nothing to
// do asks the same of their tables.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/size_class_allocator.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

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
