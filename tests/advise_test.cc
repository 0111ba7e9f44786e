// Tests of `oneline advise` as its users meet it, on real databases: what it
// promises is compared with what a database then has and does.

#include <gtest/gtest.h>
#include <rocksdb/utilities/options_util.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/run_program.h"
#include "tests/scratch_database.h"

namespace oneline {
namespace {

using nlohmann::json;

std::string Command(const std::string& path, const std::string& flags) {
  return std::string(std::filesystem::absolute("tools/oneline")) + " advise '" +
         path + "' " + flags;
}

json Advise(const std::string& path, const std::string& flags) {
  const Finished program = RunProgram(Command(path, flags + " --json"));
  EXPECT_EQ(program.exit_code, 0) << program.err;
  EXPECT_EQ(program.err, "");
  const json advice = json::parse(program.out, nullptr, false);
  EXPECT_FALSE(advice.is_discarded()) << program.out;
  return advice;
}

void ExpectRefused(const std::string& path, const std::string& flags,
                   const std::string& words) {
  const Finished program = RunProgram(Command(path, flags));
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_EQ(program.out, "");
  EXPECT_EQ(std::count(program.err.begin(), program.err.end(), '\n'), 1)
      << program.err;
  EXPECT_NE(program.err.find(words), std::string::npos) << program.err;
}

std::map<std::string, std::string> Contents(const std::string& directory) {
  std::map<std::string, std::string> contents;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    contents[file.path()] = ReadWholeFile(file.path());
  }
  return contents;
}

std::string NewestOptions(const std::string& path) {
  std::string newest;
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    const std::string name = file.path().filename();
    if (name.rfind("OPTIONS-", 0) == 0) newest = std::max(newest, name);
  }
  return path + "/" + newest;
}

constexpr int kLastKey = 40000;

// A table with every `step`-th key, flushed.
void WriteEvery(rocksdb::DB* db, int step, int first = 0) {
  for (int i = first; i < kLastKey; i += step) {
    ASSERT_TRUE(db->Put({}, KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(db->Flush({}).ok());
}

// Writes the tables of one level anew, on the level that is given.
void Rewrite(rocksdb::DB* db, int from, int to) {
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const rocksdb::LiveFileMetaData& file : files) {
    if (file.level == from) names.push_back(file.name);
  }
  const rocksdb::Status status =
      db->CompactFiles(rocksdb::CompactionOptions(), names, to);
  ASSERT_TRUE(status.ok()) << status.ToString();
}

// Five sorted runs, each over all keys: 20,000 keys on level 4, 2,000 on level
// 2, 200 and 100 in three tables of level 0. Each was written for its level.
void Fill(rocksdb::DB* db) {
  WriteEvery(db, 2);
  Rewrite(db, 0, 4);
  WriteEvery(db, 20);
  Rewrite(db, 0, 2);
  WriteEvery(db, 200);
  WriteEvery(db, 400, 2);
  WriteEvery(db, 400, 4);
}

double FilterBytes(const ScratchDatabase& database) {
  double bytes = 0;
  for (const auto& table : database.Tables()) {
    bytes += static_cast<double>(table->filter_size);
  }
  return bytes;
}

// Wasted reads for each of many lookups of absent keys.
double MeasuredWastedReads(const ScratchDatabase& database) {
  const auto positives = [&] {
    return database.Ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
           database.Ticker(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  };
  const uint64_t before = positives();
  int lookups = 0;
  for (int i = 1001; i < kLastKey - 1000; i += 2) {
    std::string value;
    EXPECT_TRUE(database->Get({}, KeyAt(i), &value).IsNotFound());
    ++lookups;
  }
  EXPECT_GT(database.Ticker(rocksdb::BLOOM_FILTER_USEFUL), 0u);
  return static_cast<double>(positives() - before) / lookups;
}

// A database as the OPTIONS file says, filled anew.
void ExpectPromiseKept(const json& advice, const std::string& options_file) {
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  ASSERT_TRUE(rocksdb::LoadOptionsFromFile(rocksdb::ConfigOptions(),
                                           options_file, &db_options, &families)
                  .ok());
  ScratchDatabase database(rocksdb::Options(db_options, families[0].options));
  Fill(database.get());
  EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{"oneline"});
  EXPECT_NEAR(
      FilterBytes(database) / advice["proposed"]["memory"].get<double>(), 1,
      0.02);
  const double promised = advice["proposed"]["wasted_reads"];
  EXPECT_NEAR(MeasuredWastedReads(database) / promised, 1, 0.2);
  // Those filters are what the next advice sees.
  database.Close();
  const json next = Advise(database.path(), "");
  EXPECT_NEAR(next["now"]["wasted_reads"].get<double>() / promised, 1, 0.1);
  EXPECT_EQ(next["now"]["memory"].get<double>(), [&] {
    database.Reopen(rocksdb::Options(db_options, families[0].options));
    return FilterBytes(database);
  }());
}

class AdviseTest : public testing::Test {
 protected:
  void Make(const std::string& policy) {
    database_ = std::make_unique<ScratchDatabase>(
        OptionsWith(policy == "none" ? nullptr : PolicyNamed(policy)));
    Fill(database_->get());
    database_->Close();
  }
  const std::string& path() const { return database_->path(); }

  std::unique_ptr<ScratchDatabase> database_;
};

TEST_F(AdviseTest, KeepsItsPromises) {
  for (const char* policy :
       {"bloomfilter:10:false", "{id=oneline;kind=bloom;bits_per_key=6}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    const std::string options = NewestOptions(path());
    const json advice = Advise(path(), "--memory=20kB --write=" + options);
    EXPECT_LE(advice["proposed"]["memory"], 20000);
    EXPECT_GT(advice["proposed"]["memory"], 19500);
    ExpectPromiseKept(advice, options);
  }
  Make("none");
  const std::string options = NewestOptions(path());
  const json advice = Advise(path(), "--fp_rate=0.3 --write=" + options);
  EXPECT_NEAR(advice["proposed"]["wasted_reads"], 0.3, 0.01);
  ExpectPromiseKept(advice, options);
}

// Level 4 has most of the keys and gets the fewest bits.
TEST_F(AdviseTest, GivesSmallLevelsMoreBits) {
  Make("bloomfilter:10:false");
  const json advice = Advise(path(), "");
  const json& levels = advice["column_families"][0]["levels"];
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

// As printed, without closing the database.
TEST_F(AdviseTest, ItsSetOptionsWorkOnline) {
  for (const char* policy : {"oneline:10", "{id=oneline;fp_rate=0.01}",
                             "{id=oneline;allocation=monkey}",
                             "{id=oneline;level_bits_per_key=20:10}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    database_->Reopen(OptionsWith(PolicyNamed(policy)));
    const json advice = Advise(path(), "--memory=20kB");
    const json& family = advice["column_families"][0];
    const std::string call = family["set_options"];
    const size_t begin = call.find("{filter_policy="), end = call.rfind('"');
    ASSERT_LT(begin, end) << call;
    ASSERT_TRUE((*database_)
                    ->SetOptions({{"block_based_table_factory",
                                   call.substr(begin, end - begin)}})
                    .ok())
        << call;
    Rewrite(database_->get(), 4, 4);
    Rewrite(database_->get(), 2, 2);
    const json after = Advise(path(), "--memory=20kB");
    for (const int i : {1, 2}) {
      EXPECT_NEAR(after["column_families"][0]["levels"][i]["now"]["memory"]
                          .get<double>() /
                      family["levels"][i]["proposed"]["memory"].get<double>(),
                  1, 0.02)
          << call;
    }
  }
  Make("bloomfilter:10:false");
  EXPECT_TRUE(
      Advise(path(), "")["column_families"][0]["set_options"].is_null());
}

TEST_F(AdviseTest, SaysThatFewerBitsWouldDo) {
  Make("bloomfilter:16:false");
  EXPECT_EQ(Advise(path(), "")["remarks"], json::array());
  const json advice = Advise(path(), "--memory=40kB");
  ASSERT_EQ(advice["remarks"].size(), 1u);
  EXPECT_EQ(advice["remarks"][0].get<std::string>().find("Fewer bits"), 0u);
}

TEST_F(AdviseTest, WritesOneLineAndKeepsTheRest) {
  Make("bloomfilter:10:false");
  const std::string options = NewestOptions(path());
  const std::string before = ReadWholeFile(options);
  ASSERT_EQ(chmod(options.c_str(), 0640), 0);
  const std::string link = path() + "/link";
  std::filesystem::create_symlink(options, link);
  const json advice = Advise(path(), "--memory=20kB --write=" + link);
  std::string expected = before;
  const std::string line = "filter_policy=bloomfilter:10:false";
  expected.replace(
      expected.find(line), line.size(),
      "filter_policy=" +
          advice["column_families"][0]["proposed"].get<std::string>());
  EXPECT_EQ(ReadWholeFile(options), expected);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  struct stat status;
  ASSERT_EQ(stat(options.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);

  const std::string backup = advice["backup"];
  EXPECT_EQ(ReadWholeFile(backup), before);
  // RocksDB would take a name that begins otherwise for an OPTIONS file.
  EXPECT_EQ(std::filesystem::path(backup).filename().string().rfind("before-"),
            0u);
  std::string latest;
  ASSERT_TRUE(rocksdb::GetLatestOptionsFileName(path(), rocksdb::Env::Default(),
                                                &latest)
                  .ok());
  EXPECT_EQ(path() + "/" + latest, options);

  // Again: there is nothing to do.
  const auto contents = Contents(path());
  const json again = Advise(path(), "--memory=20kB --write=" + options);
  EXPECT_TRUE(again["backup"].is_null());
  EXPECT_EQ(Contents(path()), contents);

  EXPECT_EQ(again["remarks"], advice["remarks"]);
  // The database opens, and keeps the backup. While it is open, a new file is
  // not what it goes by.
  database_->Reopen(OptionsWith(OurPolicy(10)));
  const json beside =
      Advise(path(), "--memory=20kB --write=" + NewestOptions(path()));
  ASSERT_FALSE(beside["remarks"].empty());
  EXPECT_NE(beside["remarks"].back().get<std::string>().find("Open it anew"),
            std::string::npos);
  database_->WriteTable(0, 10);
  database_->Close();
  EXPECT_EQ(ReadWholeFile(backup), before);
}

TEST_F(AdviseTest, ColumnFamiliesShareMemoryByKeys) {
  Make("bloomfilter:10:false");
  database_->Reopen(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(
      (*database_)
          ->CreateColumnFamily(OptionsWith(OurPolicy(7)), "other", &handle)
          .ok());
  for (int i = 0; i < 11200; ++i) {
    ASSERT_TRUE((*database_)->Put({}, handle, KeyAt(i), "value").ok());
  }
  ASSERT_TRUE((*database_)->Flush({}, handle).ok());
  ASSERT_TRUE((*database_)->DestroyColumnFamilyHandle(handle).ok());
  database_->Close();
  const std::string options = NewestOptions(path());
  const std::string before = ReadWholeFile(options);
  const json both = Advise(path(), "--memory=30kB");
  ASSERT_EQ(both["column_families"].size(), 2u);
  EXPECT_NEAR(both["proposed"]["memory"], 30000, 300);
  EXPECT_NEAR(both["column_families"][1]["levels"][0]["proposed"]["memory"],
              10000, 100);
  EXPECT_EQ(both["column_families"][1]["filter_policy"].get<std::string>().find(
                "{id=oneline;"),
            0u);
  const json one =
      Advise(path(), "--memory=30kB --column_family=other --write=" + options);
  ASSERT_EQ(one["column_families"].size(), 1u);
  std::string expected = before;
  const size_t at = expected.rfind("filter_policy={id=oneline;");
  expected.replace(
      at, expected.find('\n', at) - at,
      "filter_policy=" +
          one["column_families"][0]["proposed"].get<std::string>());
  EXPECT_EQ(ReadWholeFile(options), expected);
  ExpectRefused(path(), "--memory=1MiB --column_family=none", "'none'");
}

TEST_F(AdviseTest, AWriteThatIsRefusedChangesNothing) {
  Make("oneline:10");
  const TemporaryDirectory directory;
  const std::string file = directory.File("OPTIONS.ini");
  const std::string good = ReadWholeFile(NewestOptions(path()));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const auto& [text, words] :
       std::vector<std::pair<std::string, std::string>>{
           {replaced("comparator=leveldb", "comparator=theirs"), "as it is"},
           {replaced("num_levels=7", "no_such_option=7"), "as it is"},
           {replaced("[TableOptions/BlockBasedTable \"default\"]", ""),
            "no section"},
           {"", "can't be read"}}) {
    std::ofstream(file, std::ios::binary) << text;
    ExpectRefused(path(), "--memory=20kB --write=" + file, words);
    EXPECT_EQ(Contents(directory.path()),
              (std::map<std::string, std::string>{{file, text}}));
  }
  ExpectRefused(path(), "--memory=20kB --write=" + directory.File("none"),
                "is no OPTIONS file");
  ExpectRefused(path(), "--memory=20kB --write=/dev/null",
                "is no OPTIONS file");
}

TEST_F(AdviseTest, WhatCannotBeAdvisedOnIsOneLine) {
  Make("none");
  ExpectRefused(path(), "", "no filters in use");
  ExpectRefused(path(), "--memory=1kB --fp_rate=0.1", "must be one of them");
  ExpectRefused(path(), "--memory=much", "number of bytes");
  ExpectRefused(path(), "--fp_rate=0", "more than 0");
  ExpectRefused(path(), "--fp_rate=nan", "more than 0");
  ExpectRefused(path(), "--memory=1kB --svg=/none/plot.svg", "/none/plot.svg");
  ExpectRefused(path() + "/none", "--memory=1kB", "none");
  ExpectRefused("/dev/null", "--memory=1kB", "/dev/null");
  ExpectRefused(path() + "/CURRENT", "--memory=1kB", "CURRENT");
  for (const auto& file : std::filesystem::directory_iterator(path())) {
    if (file.path().extension() != ".sst") continue;
    std::filesystem::resize_file(file.path(), 1000);
    ExpectRefused(path(), "--memory=1kB", file.path());
    break;
  }
  ScratchDatabase empty(OptionsWith(OurPolicy(10)));
  empty.Close();
  ExpectRefused(empty.path(), "--memory=1kB", "no tables");
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
}

// Runs of universal compaction have any size on any level.
TEST_F(AdviseTest, UniversalTreesGetTheSameBitsEverywhere) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  ScratchDatabase database(options);
  WriteEvery(database.get(), 4);
  database.CompactAll();
  WriteEvery(database.get(), 40);
  database.Close();
  EXPECT_EQ(
      Advise(database.path(), "--memory=8kB")["column_families"][0]["proposed"]
          .get<std::string>()
          .rfind("{id=oneline;bits_per_key=5."),
      0u);
  const json by_rate = Advise(database.path(), "--fp_rate=0.02");
  EXPECT_NEAR(by_rate["proposed"]["wasted_reads"], 0.02, 0.0002);
}

// The last level has no filters: every lookup reads there, and the rest of the
// memory is for the others.
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
  for (int i = 0; i < 300; ++i) {
    if (ReadWholeFile(path() + "/LOG").find(line) != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const uint64_t positives =
      database_->Ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  // In the LOG of the running database, and in its LOG.old later.
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
