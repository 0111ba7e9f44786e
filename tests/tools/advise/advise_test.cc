// `oneline advise` on databases whose levels are known.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/temporary_directory.h"
#include "tests/tools/advise/advise_database.h"

namespace oneline {
namespace {

TEST_F(AdviseTest, GivesSmallLevelsMoreBits) {
  Make("bloomfilter:10:false");
  const Json advice = Advise(path(), "");
  const Json family = advice["column_families"][0];
  EXPECT_EQ(
      family["proposed"].text().rfind("{id=oneline;level_bits_per_key=", 0),
      0u);
  const Json levels = family["levels"];
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0]["tables"], 3);
  EXPECT_EQ(levels[0]["keys"], 400);
  EXPECT_EQ(levels[2]["level"], 4);
  EXPECT_EQ(levels[2]["keys"], 20000);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_GT(levels[i]["proposed"]["bits_per_key"],
              levels[i + 1]["proposed"]["bits_per_key"]);
  }
  // As much memory as today, and far fewer wasted reads.
  EXPECT_LE(advice["proposed"]["memory"], advice["now"]["memory"]);
  EXPECT_GT(advice["proposed"]["memory"],
            0.98 * advice["now"]["memory"].number());
  EXPECT_GT(advice["now"]["wasted_reads"],
            5 * advice["proposed"]["wasted_reads"].number());
  EXPECT_LT(advice["same_reads"]["memory"], advice["now"]["memory"]);
  // Five runs of RocksDB's Bloom filter, 0.95 % each.
  EXPECT_NEAR(advice["now"]["wasted_reads"].number(), 5 * 0.0095, 0.008);
  EXPECT_EQ(advice["remarks"].size(), 0u);
  const Json fewer = Advise(path(), "--memory=20kB");
  ASSERT_EQ(fewer["remarks"].size(), 1u);
  EXPECT_EQ(fewer["remarks"][0].text().find("Fewer bits"), 0u);
}

// As there are in a database without a policy.
TEST_F(AdviseTest, FiltersThatNoLookupUsesSaveNothing) {
  Make("oneline:10");
  database_->Reopen(OptionsWith(nullptr));
  database_->Close();
  const Json now = Advise(path(), "--memory=1kB")["now"];
  EXPECT_EQ(now["wasted_reads"], 5);
  EXPECT_EQ(now["memory"], 0);
}

TEST_F(AdviseTest, WrongArgumentsAreRefused) {
  Make("none");
  for (const auto& [flags, words] : std::vector<std::array<const char*, 2>>{
           {"", "no filters in use"},
           {"--memory=1kB --wasted_reads=0.1", "give only one of them"},
           {"--wasted_reads=0", "must be 1e-9 to 1000"},
           {"--wasted_reads=nan", "must be 1e-9 to 1000"},
           {"--hits=1.1", "must be 0 to 1"},
           {"--memory=1MiB --column_family=none", "'none'"},
           {"--memory=1kB --svg=/none/plot.svg", "/none/plot.svg"}}) {
    ExpectRefused(path(), flags, words);
  }
  ScratchDatabase empty(OptionsWith(OurPolicy(10)));
  empty.Close();
  ExpectRefused(empty.path(), "--memory=1kB", "no tables");
  // What is in use is not known, and not nothing.
  const std::string file = FileOf(path(), "OPTIONS-");
  std::ofstream(file) << "[Version]\n nonsense";
  ExpectRefused(path(), "", file + ": RocksDB can't load it: ");
}

// The others count, and the exit code tells.
TEST_F(AdviseTest, LeavesOutTablesThatCanNotBeRead) {
  Make("oneline:10");
  const Json all = Advise(path(), "")["column_families"][0]["levels"];
  database_->Reopen(OptionsWith(PolicyNamed("oneline:10")));
  const std::vector<std::string> files = database_->TableFiles();
  const std::string newest = files[0];
  database_->Close();
  std::filesystem::resize_file(newest, 1000);
  const Json some = Advise(path(), "", /*exit_code=*/1);
  const std::string remark = some["remarks"][0].text();
  EXPECT_EQ(remark.find("Not counted: 1 table that could not be read. The "
                        "first: " +
                        newest + ": "),
            0u)
      << remark;
  const Json levels = some["column_families"][0]["levels"];
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0]["tables"], 2);
  EXPECT_EQ(levels[1]["now"], all[1]["now"]);
  EXPECT_EQ(levels[2]["now"], all[2]["now"]);
  for (const std::string& file : files) {
    std::filesystem::resize_file(file, 1000);
  }
  ExpectRefused(path(), "--memory=1kB", newest);
}

TEST_F(AdviseTest, WorksWithoutAnOptionsFile) {
  Make("oneline:10");
  const Json with = Advise(path(), "--memory=20kB");
  for (const auto& [file, contents] : FilesIn(path())) {
    if (file.find("/OPTIONS-") != std::string::npos) {
      std::filesystem::remove(file);
    }
  }
  const Json without = Advise(path(), "--memory=20kB");
  EXPECT_EQ(without["now"], with["now"]);
  EXPECT_EQ(without["proposed"], with["proposed"]);
  // Which policy wrote the filters is not known, nor what SetOptions would do.
  EXPECT_EQ(without["column_families"][0]["filter_policy"], nullptr);
  EXPECT_EQ(without["column_families"][0]["set_options"], nullptr);
  const Finished text = RunOneline("advise " + path() + " --memory=20kB");
  EXPECT_TRUE(
      Contains(text.out, "  now: not known, as there is no OPTIONS file"))
      << text.out;
}

TEST_F(AdviseTest, UniversalTreesGetTheSameBitsEverywhere) {
  rocksdb::Options options = OptionsWith(PolicyNamed("oneline:10"));
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  ScratchDatabase database(options);
  WriteEvery(database.get(), 4);
  database.CompactAll();
  WriteEvery(database.get(), 40);
  database.Close();
  const Json family =
      Advise(database.path(), "--memory=8kB")["column_families"][0];
  EXPECT_EQ(family["proposed"],
            "{id=oneline;bits_per_key=5.725;bits_by_level=false}");
  EXPECT_EQ(family["set_options"],
            "db->SetOptions(cf, {"
            "{\"table_factory.filter_policy.bits_per_key\", \"5.725\"}, "
            "{\"table_factory.filter_policy.bits_by_level\", \"false\"}});");
  const Json by_rate = Advise(database.path(), "--wasted_reads=0.02");
  EXPECT_NEAR(by_rate["proposed"]["wasted_reads"].number(), 0.02, 0.0002);
}

TEST_F(AdviseTest, ObeysOptimizeFiltersForHits) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.optimize_filters_for_hits = true;
  ScratchDatabase database(options);
  Fill(database.get());
  database.Close();
  const Json advice = Advise(database.path(), "--memory=3kB");
  const Json levels = advice["column_families"][0]["levels"];
  EXPECT_EQ(levels[2]["now"]["memory"], 0);
  EXPECT_EQ(levels[2]["proposed"]["memory"], 0);
  EXPECT_EQ(levels[2]["proposed"]["wasted_reads"], 1);
  EXPECT_NEAR(advice["proposed"]["memory"].number(), 3000, 60);
}

TEST_F(AdviseTest, PlotsAndPrints) {
  Make("bloomfilter:10:false");
  const TemporaryDirectory directory;
  const std::string plot = directory.File("it's.svg");
  const std::string program =
      OutputOf("advise " + path() + " --memory=20kB --svg=\"" + plot + "\"");
  EXPECT_TRUE(ContainsAll(
      program,
      {"Column family \"default\"", "L0       3          400",
       "L4       1       20,000", "What to do", "filter_policy={id=oneline;"}));
  const std::string svg = ReadWholeFile(plot);
  EXPECT_TRUE(ContainsAll(
      svg, {"<svg", "today", "proposed", "bits by level", "</svg>"}));
  EXPECT_EQ(FilesIn(directory.path()).size(), 1u);
}

}  // namespace
}  // namespace oneline
