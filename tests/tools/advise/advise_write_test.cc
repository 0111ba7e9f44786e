// Applies the proposals of `oneline advise`, by --write or SetOptions, and
// checks that filters then have the size and the wasted reads that it
// predicted.

#include <gtest/gtest.h>
#include <rocksdb/utilities/options_util.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"
#include "tests/tools/advise/advise_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

using AdviseWriteTest = AdviseTest;

// Fills a new database with the options of the file, and compares it with the
// proposal.
void ExpectAsPredicted(const json& advice, const std::string& options_file) {
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
  const double predicted = advice["proposed"]["wasted_reads"];
  const double measured = MeasuredWastedReads(database);
  EXPECT_NEAR(measured / predicted, 1, 0.3);
  // `oneline advise` finds the same for the filters that are there now.
  database.Close();
  const json next = Advise(database.path(), "");
  EXPECT_NEAR(next["now"]["wasted_reads"].get<double>() / measured, 1, 0.3);
  EXPECT_EQ(next["now"]["memory"].get<double>(), [&] {
    database.Reopen(rocksdb::Options(db_options, families[0].options));
    return FilterBytes(database);
  }());
}

TEST_F(AdviseWriteTest, ProposalsDoWhatTheyPredict) {
  for (const char* policy :
       {"bloomfilter:10:false", "{id=oneline;kind=bloom;bits_per_key=6}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    const std::string options = NewestOptions(path());
    const json advice = Advise(path(), "--memory=20kB --write=" + options);
    EXPECT_LE(advice["proposed"]["memory"], 20000);
    EXPECT_GT(advice["proposed"]["memory"], 19500);
    ExpectAsPredicted(advice, options);
  }
  Make("none");
  const std::string options = NewestOptions(path());
  const json advice = Advise(path(), "--fp_rate=0.3 --write=" + options);
  EXPECT_NEAR(advice["proposed"]["wasted_reads"], 0.3, 0.01);
  ExpectAsPredicted(advice, options);
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

TEST_F(AdviseWriteTest, ItsSetOptionsWorkOnline) {
  for (const char* policy : {"oneline:10", "{id=oneline;fp_rate=0.01}",
                             "{id=oneline;bits_by_level=false}",
                             "{id=oneline;level_bits_per_key=20:10}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    database_->Reopen(OptionsWith(PolicyNamed(policy)));
    const json advice = Advise(path(), "--memory=20kB");
    const json& family = advice["column_families"][0];
    const std::string call = family["set_options"];
    ASSERT_TRUE((*database_)->SetOptions(OptionsIn(call)).ok()) << call;
    Rewrite(database_->get(), 4, 4);
    Rewrite(database_->get(), 2, 2);
    const json after = Advise(path(), "--memory=20kB");
    for (const int i : {1, 2}) {
      EXPECT_NEAR(after["column_families"][0]["levels"][i]["now"]["memory"]
                          .get<double>() /
                      family["levels"][i]["proposed"]["memory"].get<double>(),
                  1, 0.03)
          << call;
    }
  }
  Make("bloomfilter:10:false");
  EXPECT_TRUE(
      Advise(path(), "")["column_families"][0]["set_options"].is_null());
}

TEST_F(AdviseWriteTest, AWriteThatIsRefusedChangesNothing) {
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
                "is not an OPTIONS file");
  ExpectRefused(path(), "--memory=20kB --write=/dev/null",
                "is not an OPTIONS file");
}

TEST_F(AdviseWriteTest, AFolderThatCannotBeWrittenStaysAsItIs) {
  Make("oneline:10");
  const TemporaryDirectory directory;
  const std::string folder = directory.File("folder");
  std::filesystem::create_directory(folder);
  const std::string options = folder + "/OPTIONS.ini";
  std::filesystem::copy(NewestOptions(path()), options);
  const auto before = Contents(folder);
  ASSERT_EQ(chmod(folder.c_str(), 0555), 0);
  if (RunProgram(AsUser() + "touch " + folder + "/file").exit_code == 0) {
    GTEST_SKIP() << "every directory can be written here";
  }
  // It can still be read.
  EXPECT_EQ(RunProgram(AsUser() + "cat " + options).out,
            ReadWholeFile(options));
  ExpectRefused(path(), "--memory=20kB --write=" + options,
                "can't be created: Permission denied", AsUser());
  EXPECT_EQ(Contents(folder), before);
  // With permission to write, it works.
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  Advise(path(), "--memory=20kB --write=" + options);
  EXPECT_NE(Contents(folder), before);
}

TEST_F(AdviseWriteTest, ColumnFamiliesShareMemoryByKeys) {
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
  const std::string proposed = one["column_families"][0]["proposed"];
  // It has only one level.
  EXPECT_NE(proposed.find(";bits_by_level=false"), std::string::npos);
  std::string expected = before;
  const size_t at = expected.rfind("filter_policy={id=oneline;");
  expected.replace(at, expected.find('\n', at) - at,
                   "filter_policy=" + proposed);
  EXPECT_EQ(ReadWholeFile(options), expected);
  ExpectRefused(path(), "--memory=1MiB --column_family=none", "'none'");
}

TEST_F(AdviseWriteTest, WritesOneLineAndKeepsTheRest) {
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
  // RocksDB would take a name that begins with "OPTIONS-" for an OPTIONS file.
  EXPECT_EQ(std::filesystem::path(backup).filename().string().rfind("before-"),
            0u);
  std::string latest;
  ASSERT_TRUE(rocksdb::GetLatestOptionsFileName(path(), rocksdb::Env::Default(),
                                                &latest)
                  .ok());
  EXPECT_EQ(path() + "/" + latest, options);

  // A second time there is nothing to change.
  const auto contents = Contents(path());
  const json again = Advise(path(), "--memory=20kB --write=" + options);
  EXPECT_TRUE(again["backup"].is_null());
  EXPECT_EQ(Contents(path()), contents);

  EXPECT_EQ(again["remarks"], advice["remarks"]);
  // The database opens and keeps the backup. While it is open, it does not read
  // the changed file.
  database_->Reopen(OptionsWith(OurPolicy(10)));
  const json beside =
      Advise(path(), "--memory=20kB --write=" + NewestOptions(path()));
  ASSERT_FALSE(beside["remarks"].empty());
  EXPECT_NE(
      beside["remarks"].back().get<std::string>().find("Reopen the database"),
      std::string::npos);
  database_->WriteTable(0, 10);
  database_->Close();
  EXPECT_EQ(ReadWholeFile(backup), before);
}

}  // namespace
}  // namespace oneline
