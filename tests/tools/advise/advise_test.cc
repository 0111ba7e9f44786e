// `oneline advise` on databases whose levels are known; and that filters by its
// proposals have the size and the wasted reads that it predicted.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"
#include "tests/temporary_directory.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

Json Advise(const std::string& path, const std::string& flags,
            int exit_code = 0, const std::string& before = "") {
  return RunForJson("advise " + path + " " + flags, exit_code, before);
}

void ExpectRefused(const std::string& path, const std::string& flags,
                   const std::string& words) {
  ExpectRefusal(RunOneline("advise " + path + " " + flags), words);
}

constexpr int kLastKey = 40000;

// Writes a table with every `step`-th key from `first` on to level 0.
void WriteEvery(rocksdb::DB* db, int step, int first = 0) {
  for (int i = first; i < kLastKey; i += step) {
    ASSERT_TRUE(db->Put({}, KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(db->Flush({}).ok());
}

// Compacts the tables of level `from` into level `to`.
void Rewrite(rocksdb::DB* db, int from, int to) {
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const rocksdb::LiveFileMetaData& file : files) {
    if (file.level == from) names.push_back(file.name);
  }
  ASSERT_TRUE(IsOk(db->CompactFiles(rocksdb::CompactionOptions(), names, to)));
}

// Five sorted runs, each over all keys: 20,000 keys on level 4, 2,000 on level
// 2, and 200, 100 and 100 in three tables of level 0. Each was written for its
// level.
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

// Wasted reads per lookup, measured with so many lookups of absent keys that
// chance makes a few percent.
double MeasuredWastedReads(const ScratchDatabase& database) {
  const auto positives = [&] {
    return database.Ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
           database.Ticker(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  };
  const uint64_t before = positives();
  int lookups = 0;
  for (int i = 1001; i < kLastKey - 1000; i += 2) {
    for (const char* end : {"", "a", "b", "c"}) {
      std::string value;
      EXPECT_TRUE(database->Get({}, KeyAt(i) + end, &value).IsNotFound());
      ++lookups;
    }
  }
  EXPECT_GT(database.Ticker(rocksdb::BLOOM_FILTER_USEFUL), 0u);
  return static_cast<double>(positives() - before) / lookups;
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
  EXPECT_LE(advice["proposed"]["filter_bytes"].number(),
            advice["now"]["filter_bytes"].number());
  EXPECT_GT(advice["proposed"]["filter_bytes"],
            0.98 * advice["now"]["filter_bytes"].number());
  EXPECT_GT(advice["now"]["wasted_reads"],
            5 * advice["proposed"]["wasted_reads"].number());
  EXPECT_GT(advice["now"]["filter_bytes"],
            advice["same_reads"]["filter_bytes"]);
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
  EXPECT_EQ(now["filter_bytes"], 0);
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
  database_->Reopen(OptionsWith(PolicyNamed("oneline:10")));
  const std::vector<std::string> files = database_->TableFiles();
  database_->Close();
  std::filesystem::resize_file(files[0], 1000);
  const Json some = Advise(path(), "", /*exit_code=*/1);
  EXPECT_TRUE(Contains(some["remarks"][0].text(),
                       "Not counted: 1 table that could not be read. The "
                       "first: " +
                           files[0] + ": "));
  const Json levels = some["column_families"][0]["levels"];
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0]["tables"], 2);
  EXPECT_EQ(levels[1]["keys"], 2000);
  for (const std::string& file : files) {
    std::filesystem::resize_file(file, 1000);
  }
  ExpectRefused(path(), "--memory=1kB", files[0]);
}

TEST_F(AdviseTest, WorksWithoutAnOptionsFile) {
  Make("oneline:10");
  const Json with = Advise(path(), "--memory=20kB");
  RemoveFilesOf(path(), "OPTIONS-");
  const Json without = Advise(path(), "--memory=20kB");
  EXPECT_EQ(without["now"], with["now"]);
  EXPECT_EQ(without["proposed"], with["proposed"]);
  // Which policy wrote the filters is not known, nor what SetOptions would do.
  EXPECT_EQ(without["column_families"][0]["filter_policy"], nullptr);
  EXPECT_EQ(without["column_families"][0]["set_options"], nullptr);
  EXPECT_TRUE(Contains(OutputOf("advise " + path() + " --memory=20kB"),
                       "  now: not known, as there is no OPTIONS file"));
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
  EXPECT_EQ(levels[2]["now"]["filter_bytes"], 0);
  EXPECT_EQ(levels[2]["proposed"]["filter_bytes"], 0);
  EXPECT_EQ(levels[2]["proposed"]["wasted_reads"], 1);
  EXPECT_NEAR(advice["proposed"]["filter_bytes"].number(), 3000, 60);
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

// Fills a new database with the proposed policy, and compares it with the
// proposal.
void ExpectAsPredicted(const Json& advice) {
  const rocksdb::Options options =
      OptionsWith(PolicyNamed(advice["column_families"][0]["proposed"].text()));
  ScratchDatabase database(options);
  Fill(database.get());
  EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{"oneline"});
  EXPECT_NEAR(
      FilterBytes(database) / advice["proposed"]["filter_bytes"].number(), 1,
      0.02);
  const double predicted = advice["proposed"]["wasted_reads"].number();
  const double measured = MeasuredWastedReads(database);
  EXPECT_NEAR(measured / predicted, 1, 0.3);
  // `oneline advise` finds the same for the filters that are there now.
  const Json now = Advise(database.path(), "")["now"];
  EXPECT_NEAR(now["wasted_reads"].number() / measured, 1, 0.3);
  EXPECT_EQ(now["filter_bytes"], FilterBytes(database));
}

TEST_F(AdviseTest, ProposalsDoWhatTheyPredict) {
  for (const char* policy :
       {"bloomfilter:10:false", "{id=oneline;kind=bloom;bits_per_key=6}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    const Json advice = Advise(path(), "--memory=20kB");
    EXPECT_LE(advice["proposed"]["filter_bytes"].number(), 20000);
    EXPECT_GT(advice["proposed"]["filter_bytes"], 19500);
    ExpectAsPredicted(advice);
  }
  Make("none");
  const Json advice = Advise(path(), "--wasted_reads=0.3");
  EXPECT_NEAR(advice["proposed"]["wasted_reads"].number(), 0.3, 0.01);
  ExpectAsPredicted(advice);
}

// The names and values in a call of SetOptions: its texts between quotation
// marks, by turns.
std::unordered_map<std::string, std::string> OptionsIn(
    const std::string& call) {
  const std::vector<std::string> parts = absl::StrSplit(call, '"');
  std::unordered_map<std::string, std::string> options;
  for (size_t i = 1; i + 2 < parts.size(); i += 4) {
    options[parts[i]] = parts[i + 2];
  }
  return options;
}

TEST_F(AdviseTest, ItsSetOptionsWorkOnline) {
  for (const char* policy : {"oneline:10", "{id=oneline;fp_rate=0.01}",
                             "{id=oneline;bits_by_level=false}",
                             "{id=oneline;level_bits_per_key=20:10}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    database_->Reopen(OptionsWith(PolicyNamed(policy)));
    const Json family = Advise(path(), "--memory=20kB")["column_families"][0];
    const std::string call = family["set_options"].text();
    ASSERT_TRUE((*database_)->SetOptions(OptionsIn(call)).ok()) << call;
    Rewrite(database_->get(), 4, 4);
    Rewrite(database_->get(), 2, 2);
    const Json after = Advise(path(), "--memory=20kB")["column_families"][0];
    for (const size_t i : {1, 2}) {
      EXPECT_NEAR(after["levels"][i]["now"]["filter_bytes"].number() /
                      family["levels"][i]["proposed"]["filter_bytes"].number(),
                  1, 0.03)
          << call;
    }
  }
  Make("bloomfilter:10:false");
  EXPECT_EQ(Advise(path(), "")["column_families"][0]["set_options"], nullptr);
}

TEST_F(AdviseTest, ColumnFamiliesShareMemoryByKeys) {
  Make("bloomfilter:10:false");
  database_->Reopen(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  database_->WriteFamily("other", OptionsWith(OurPolicy(7)), 11200);
  database_->Close();
  const Json both = Advise(path(), "--memory=30kB");
  ASSERT_EQ(both["column_families"].size(), 2u);
  EXPECT_NEAR(both["proposed"]["filter_bytes"].number(), 30000, 300);
  const Json other = both["column_families"][1];
  EXPECT_NEAR(other["levels"][0]["proposed"]["filter_bytes"].number(), 10000,
              100);
  EXPECT_EQ(other["filter_policy"].text().find("{id=oneline;"), 0u);
  const Json named =
      Advise(path(), "--memory=30kB --column_family=other,default");
  EXPECT_EQ(named["column_families"].elements().size(), 2u);
  const Json one = Advise(path(), "--memory=30kB --column_family=other");
  ASSERT_EQ(one["column_families"].size(), 1u);
  // It has only one level.
  EXPECT_TRUE(Contains(one["column_families"][0]["proposed"].text(),
                       ";bits_by_level=false"));
}

}  // namespace
}  // namespace oneline
