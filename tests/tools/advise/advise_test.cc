// `oneline advise` on databases whose levels are known.

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"
#include "tests/tools/advise/advise_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

TEST_F(AdviseTest, GivesSmallLevelsMoreBits) {
  Make("bloomfilter:10:false");
  const json advice = Advise(path(), "");
  const json& family = advice["column_families"][0];
  EXPECT_EQ(family["proposed"].get<std::string>().rfind(
                "{id=oneline;level_bits_per_key=", 0),
            0u);
  const json& levels = family["levels"];
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0]["tables"], 3);
  EXPECT_EQ(levels[0]["keys"], 400);
  EXPECT_EQ(levels[2]["level"], 4);
  EXPECT_EQ(levels[2]["keys"], 20000);
  for (int i = 0; i < 2; ++i) {
    EXPECT_GT(levels[i]["proposed"]["bits_per_key"],
              levels[i + 1]["proposed"]["bits_per_key"]);
  }
  // As much memory as today, and far fewer wasted reads.
  EXPECT_LE(advice["proposed"]["memory"], advice["now"]["memory"]);
  EXPECT_GT(advice["proposed"]["memory"],
            0.98 * advice["now"]["memory"].get<double>());
  EXPECT_LT(5 * advice["proposed"]["wasted_reads"].get<double>(),
            advice["now"]["wasted_reads"]);
  EXPECT_LT(advice["same_reads"]["memory"], advice["now"]["memory"]);
  // Five runs of RocksDB's Bloom filter, 0.95 % each.
  EXPECT_NEAR(advice["now"]["wasted_reads"], 5 * 0.0095, 0.008);
}

TEST_F(AdviseTest, KnowsTodaysWastedReads) {
  for (const char* policy :
       {"bloomfilter:4:false", "ribbonfilter:5:-1", "oneline:4",
        "{id=oneline;level_bits_per_key=8:6:6:4}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    const double now = Advise(path(), "")["now"]["wasted_reads"];
    database_->Reopen(OptionsWith(PolicyNamed(policy)));
    EXPECT_NEAR(MeasuredWastedReads(*database_) / now, 1, 0.15);
  }
  Make("none");
  EXPECT_EQ(Advise(path(), "--memory=1kB")["now"]["wasted_reads"], 5);
  EXPECT_EQ(Advise(path(), "--memory=1kB")["now"]["memory"], 0);
}

TEST_F(AdviseTest, SaysThatFewerBitsWouldDo) {
  Make("bloomfilter:16:false");
  EXPECT_EQ(Advise(path(), "")["remarks"], json::array());
  const json advice = Advise(path(), "--memory=40kB");
  ASSERT_EQ(advice["remarks"].size(), 1u);
  EXPECT_EQ(advice["remarks"][0].get<std::string>().find("Fewer bits"), 0u);
}

TEST_F(AdviseTest, ErrorsAreOneLine) {
  Make("none");
  ExpectRefused(path(), "", "no filters in use");
  ExpectRefused(path(), "--memory=1kB --fp_rate=0.1", "give only one of them");
  ExpectRefused(path(), "--memory=much", "number of bytes");
  ExpectRefused(path(), "--fp_rate=0", "more than 0");
  ExpectRefused(path(), "--fp_rate=nan", "more than 0");
  ExpectRefused(path(), "--memory=1kB --svg=/none/plot.svg", "/none/plot.svg");
  ExpectRefused(path() + "/none", "--memory=1kB", "none");
  ExpectRefused("/dev/null", "--memory=1kB", "/dev/null");
  ExpectRefused(path() + "/CURRENT", "--memory=1kB", "CURRENT");
  ScratchDatabase empty(OptionsWith(OurPolicy(10)));
  empty.Close();
  ExpectRefused(empty.path(), "--memory=1kB", "no tables");
}

// The others count, and the exit code tells.
TEST_F(AdviseTest, LeavesOutTablesThatCanNotBeRead) {
  Make("oneline:10");
  const json all = Advise(path(), "");
  database_->Reopen(OptionsWith(PolicyNamed("oneline:10")));
  const std::vector<std::string> files = database_->TableFiles();
  const std::string newest = files[0];
  database_->Close();
  std::filesystem::permissions(newest, std::filesystem::perms::none);
  const std::string denied = newest + ": can't be opened: Permission denied";
  Finished run = RunProgram(AsUser() + Command(path(), "--json"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "oneline advise: " + denied + "\n");
  EXPECT_EQ(json::parse(run.out)["remarks"][0],
            "Not counted: 1 table that could not be read. The first: " +
                denied + ".");
  std::filesystem::permissions(newest, std::filesystem::perms::owner_all);

  std::filesystem::resize_file(newest, 1000);
  run = RunProgram(Command(path(), "--json"));
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "");
  const json some = json::parse(run.out);
  EXPECT_EQ(some["remarks"][0].get<std::string>().find(
                "Not counted: 1 table that could not be read. The first: " +
                newest + ": "),
            0u)
      << some["remarks"];
  const auto levels = [](const json& advice) {
    return advice["column_families"][0]["levels"];
  };
  ASSERT_EQ(levels(some).size(), 3u);
  EXPECT_EQ(levels(some)[0]["tables"], 2);
  EXPECT_EQ(levels(some)[1]["now"], levels(all)[1]["now"]);
  EXPECT_EQ(levels(some)[2]["now"], levels(all)[2]["now"]);

  // Its proposal would be for another tree.
  const auto before = Contents(path());
  ExpectRefused(path(), "--write=" + NewestOptions(path()),
                "--write needs all tables, of which 1 could not be read; the "
                "first: " +
                    newest);
  EXPECT_EQ(Contents(path()), before);
  for (const std::string& file : files) {
    std::filesystem::resize_file(file, 1000);
  }
  ExpectRefused(path(), "--memory=1kB", newest);
}

TEST_F(AdviseTest, ChangesNothing) {
  Make("oneline:10");
  const auto before = Contents(path());
  Advise(path(), "");
  Advise(path(), "--fp_rate=0.1");
  EXPECT_EQ(Contents(path()), before);
}

TEST_F(AdviseTest, WorksWithoutAnOptionsFile) {
  Make("oneline:10");
  const json with = Advise(path(), "--memory=20kB");
  for (const auto& [file, text] : Contents(path())) {
    if (file.find("/OPTIONS-") != std::string::npos) {
      std::filesystem::remove(file);
    }
  }
  const json without = Advise(path(), "--memory=20kB");
  EXPECT_EQ(without["now"], with["now"]);
  EXPECT_EQ(without["proposed"], with["proposed"]);
  // Which policy wrote the filters is not known, nor what SetOptions would do.
  const json& family = without["column_families"][0];
  EXPECT_EQ(family["filter_policy"], nullptr);
  EXPECT_EQ(family["set_options"], nullptr);
  const Finished text = RunProgram(Command(path(), "--memory=20kB"));
  EXPECT_NE(text.out.find("  now: not known, as there is no OPTIONS file"),
            std::string::npos)
      << text.out;
}

// What is in use is not known, and not nothing.
TEST_F(AdviseTest, ADamagedOptionsFileIsAnError) {
  Make("oneline:10");
  const std::string file = NewestOptions(path());
  std::ofstream(file) << "[Version]\n nonsense";
  ExpectRefused(path(), "", file + ": RocksDB can't load it: ");
}

// Not as commands for the terminal.
TEST_F(AdviseTest, NamesArePrintedWithoutControlCharacters) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 1000);
  rocksdb::ColumnFamilyHandle* family = nullptr;
  // A finding of doctor's.
  rocksdb::BlockBasedTableOptions table;
  table.partition_filters = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.cache_index_and_filter_blocks = true;
  table.pin_top_level_index_and_filter = false;
  ASSERT_TRUE(database
                  ->CreateColumnFamily(OptionsWith(OurPolicy(20), table),
                                       "\x1b[31mred", &family)
                  .ok());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(database->Put({}, family, KeyAt(i), "value").ok());
  }
  ASSERT_TRUE(database->Flush({}, family).ok());
  ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
  database.Close();
  const std::string oneline = std::filesystem::absolute("tools/oneline");
  for (const std::string command : {"advise", "inspect", "doctor", "verify"}) {
    const Finished run =
        RunProgram(oneline + " " + command + " " + database.path());
    EXPECT_EQ((run.out + run.err).find('\x1b'), std::string::npos) << command;
    if (command == "verify") continue;
    EXPECT_NE(run.out.find("\\x1b[31mred"), std::string::npos) << run.out;
  }
}

TEST_F(AdviseTest, UniversalTreesGetTheSameBitsEverywhere) {
  rocksdb::Options options = OptionsWith(PolicyNamed("oneline:10"));
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  ScratchDatabase database(options);
  WriteEvery(database.get(), 4);
  database.CompactAll();
  WriteEvery(database.get(), 40);
  database.Close();
  const json family =
      Advise(database.path(), "--memory=8kB")["column_families"][0];
  EXPECT_EQ(family["proposed"],
            "{id=oneline;bits_per_key=5.725;bits_by_level=false}");
  EXPECT_EQ(family["set_options"],
            "db->SetOptions(cf, {"
            "{\"table_factory.filter_policy.bits_per_key\", \"5.725\"}, "
            "{\"table_factory.filter_policy.bits_by_level\", \"false\"}});");
  const json by_rate = Advise(database.path(), "--fp_rate=0.02");
  EXPECT_NEAR(by_rate["proposed"]["wasted_reads"], 0.02, 0.0002);
}

TEST_F(AdviseTest, ObeysOptimizeFiltersForHits) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.optimize_filters_for_hits = true;
  ScratchDatabase database(options);
  Fill(database.get());
  database.Close();
  const json advice = Advise(database.path(), "--memory=3kB");
  const json& levels = advice["column_families"][0]["levels"];
  EXPECT_EQ(levels[2]["now"]["memory"], 0);
  EXPECT_EQ(levels[2]["proposed"]["memory"], 0);
  EXPECT_EQ(levels[2]["proposed"]["wasted_reads"], 1);
  EXPECT_NEAR(advice["proposed"]["memory"], 3000, 60);
}

TEST_F(AdviseTest, ReadsTheStatisticsOfTheLog) {
  Make("bloomfilter:10:false");
  EXPECT_TRUE(Advise(path(), "")["statistics"].is_null());
  rocksdb::Options options = OptionsWith(PolicyNamed("bloomfilter:10:false"));
  options.stats_dump_period_sec = 1;
  database_->Reopen(options);
  for (int i = 0; i < 4000; i += 2) {
    std::string value;
    ASSERT_TRUE((*database_)->Get({}, KeyAt(i), &value).ok());
    if (i % 100 == 0) (*database_)->Get({}, KeyAt(i + 1), &value);
  }
  const uint64_t useful = database_->Ticker(rocksdb::BLOOM_FILTER_USEFUL);
  const std::string line =
      "rocksdb.bloom.filter.useful COUNT : " + std::to_string(useful) + "\n";
  const auto log = (*database_)->GetDBOptions().info_log;
  for (int i = 0; i < 300; ++i) {
    rocksdb::LogFlush(log);  // which RocksDB does every five seconds
    if (ReadWholeFile(path() + "/LOG").find(line) != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const uint64_t positives =
      database_->Ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  // First in the LOG of the running database, later in a LOG.old.
  for (const bool running : {true, false}) {
    const json statistics = Advise(path(), "")["statistics"];
    ASSERT_FALSE(statistics.is_null());
    EXPECT_EQ(statistics["filter_negatives"], useful);
    EXPECT_EQ(statistics["filter_positives"], positives);
    EXPECT_EQ(statistics["lookups"], 2040);
    if (running) {
      options.stats_dump_period_sec = 0;
      database_->Reopen(options);
      database_->Close();
    }
  }
  const Finished text = RunProgram(Command(path(), ""));
  EXPECT_NE(text.out.find("2,040 lookups"), std::string::npos) << text.out;
}

TEST_F(AdviseTest, PlotsAndPrints) {
  Make("bloomfilter:10:false");
  const TemporaryDirectory directory;
  const std::string plot = directory.File("it's.svg");
  const Finished program =
      RunProgram(Command(path(), "--memory=20kB --svg=\"" + plot + "\""));
  EXPECT_EQ(program.exit_code, 0) << program.err;
  for (const char* part : {"Column family \"default\"",
                           "L0       3          400", "L4       1       20,000",
                           "What to do", "filter_policy={id=oneline;"}) {
    EXPECT_NE(program.out.find(part), std::string::npos) << part << " in\n"
                                                         << program.out;
  }
  const std::string svg = ReadWholeFile(plot);
  for (const char* part :
       {"<svg", "today", "proposed", "bits by level", "</svg>"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(Contents(directory.path()).size(), 1u);
}

}  // namespace
}  // namespace oneline
