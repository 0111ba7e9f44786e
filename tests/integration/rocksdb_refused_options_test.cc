// Wrong options of our policy, by every way into RocksDB. Where it asks, it
// gets the error and nothing changes. Where it does not ask, filters are
// written with the default options and the LOG says so: a mistake never stops a
// database.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/options_util.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/filter_policy/options/expect_options.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyOptions;
using rocksdb::Status;

// None of these is a default.
constexpr char kInForce[] =
    "{id=oneline;kind=bloom;bits_per_key=20;bits_by_level=false}";

std::string TextOf(const std::string& policy) {
  return PolicyNamed(policy)->ToString(rocksdb::ConfigOptions());
}

// In Corruption's shadow no family could be written any more.
void ExpectStillWrites(ScratchDatabase* database) {
  database->WriteTable(0, 2000);
  database->CompactAll();
  ExpectFiltered(*database, 0, 2000, 0.8);
}

// The ways in which the options of a column family with a wrong policy come
// about. RocksDB may find the error, or drop it and leave it to DB::Open.
enum class Way { kText, kFile, kFileOfALaterVersion };

Status LoadFile(const std::string& policy, bool of_a_later_version,
                ColumnFamilyOptions* options) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("OPTIONS"))
      << "[Version]\n  rocksdb_version="
      << (of_a_later_version ? "99.1.0" : "7.8.3")
      << "\n  options_file_version=1.1\n[DBOptions]\n"
         "[CFOptions \"default\"]\n"
         "[TableOptions/BlockBasedTable \"default\"]\n  filter_policy="
      << policy << "\n";
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = of_a_later_version;
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  const Status status = rocksdb::LoadOptionsFromFile(
      config, directory.File("OPTIONS"), &db_options, &families);
  if (status.ok()) *options = families.at(0).options;
  return status;
}

Status FamilyWith(const Mistake& mistake, Way way,
                  ColumnFamilyOptions* options) {
  if (way != Way::kText) {
    return LoadFile(mistake.text, way == Way::kFileOfALaterVersion, options);
  }
  return rocksdb::GetColumnFamilyOptionsFromString(
      rocksdb::ConfigOptions(), {},
      "block_based_table_factory={filter_policy=" + mistake.text + "}",
      options);
}

class RefusedAtOpenTest
    : public testing::TestWithParam<std::tuple<Way, Mistake>> {};

INSTANTIATE_TEST_SUITE_P(
    All, RefusedAtOpenTest,
    testing::Combine(testing::Values(Way::kText, Way::kFile,
                                     Way::kFileOfALaterVersion),
                     testing::ValuesIn(SomeMistakes())));

// The log has data, which recovery would write into a table.
TEST_P(RefusedAtOpenTest, NoDatabaseOpens) {
  const auto& [way, mistake] = GetParam();
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.Put(0, 100);
  ColumnFamilyOptions family;
  Status status = FamilyWith(mistake, way, &family);
  if (status.ok()) {
    const rocksdb::Options options(rocksdb::DBOptions(), family);
    status = database.TryReopen(options);
    // Not when it is tried again, either.
    if (!status.ok()) status = database.TryReopen(options);
  }
  // RocksDB ignores unknown options in files of later versions, and wrong
  // values as well; our policy does not.
  if (way == Way::kFileOfALaterVersion && mistake.unknown) {
    EXPECT_TRUE(IsOk(status));
    return;
  }
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  ExpectError(status.ToString(), mistake.error);
  for (const auto& file :
       std::filesystem::directory_iterator(database.path())) {
    EXPECT_NE(file.path().extension(), ".sst");
  }
  database.Reopen(OptionsWith(OurPolicy(10)));
  ExpectFiltered(database, 0, 100, 0.8);
}

// Where RocksDB does not ask.
class UsedInsteadTest : public testing::TestWithParam<Mistake> {};

INSTANTIATE_TEST_SUITE_P(All, UsedInsteadTest,
                         testing::ValuesIn(SomeMistakes()));

// Two flushes of the family, then one of another.
TEST_P(UsedInsteadTest, ACreatedColumnFamilyGetsTheDefault) {
  const Mistake& mistake = GetParam();
  ColumnFamilyOptions options;
  ASSERT_TRUE(FamilyWith(mistake, Way::kText, &options).ok());
  ScratchDatabase database(OptionsWith(OurPolicy(20)));
  rocksdb::ColumnFamilyHandle* family = nullptr;
  // Later versions of RocksDB read the OPTIONS file that they have written, and
  // find that the option differs. The family is there all the same.
  const Status status = database->CreateColumnFamily(options, "wrong", &family);
  ASSERT_NE(family, nullptr) << status.ToString();
  for (int flush = 1; flush <= 2; ++flush) {
    database.WriteTable(0, 1, family);
    EXPECT_EQ(CountInLog(database, {"[wrong] oneline: ", mistake.error[0],
                                    kUsedInstead + std::string("oneline")}),
              flush);
  }
  ExpectStillWrites(&database);
  rocksdb::PinnableSlice value;
  EXPECT_TRUE(database->Get({}, family, KeyAt(0), &value).ok());
  EXPECT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
}

TEST_P(UsedInsteadTest, SstFileWriterUsesTheDefault) {
  const Mistake& mistake = GetParam();
  rocksdb::Options options;
  ASSERT_TRUE(FamilyWith(mistake, Way::kText, &options).ok());
  const auto log = std::make_shared<LinesLogged>();
  options.info_log = log;
  const TemporaryDirectory directory;
  WriteTableFile(options, directory.File("sst"), 2000);
  std::string lines;
  for (const std::string& line : log->lines) lines += line;
  ExpectError(lines, mistake.error);
  EXPECT_NEAR(BitsInFile(directory.File("sst")), 10, 0.5);
}

TEST(RefusedOptionsTest, TheFactoryReturnsTheError) {
  for (const Mistake& mistake : AllMistakes()) {
    if (!mistake.made.has_value()) continue;
    PolicyPtr policy = OurPolicy(10);
    const Status status = NewRocksDBFilterPolicy(*mistake.made, &policy);
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    ExpectError(status.ToString(), mistake.error);
    EXPECT_EQ(policy, nullptr);
  }
  PolicyPtr policy;
  EXPECT_TRUE(NewRocksDBFilterPolicy(FilterOptions(), &policy).ok());
  EXPECT_NE(policy, nullptr);
  EXPECT_TRUE(
      NewRocksDBFilterPolicy(FilterOptions(), nullptr).IsInvalidArgument());
}

class RefusedSetOptionsTest : public testing::TestWithParam<Mistake> {};

INSTANTIATE_TEST_SUITE_P(All, RefusedSetOptionsTest,
                         testing::ValuesIn(SomeMistakes()));

// The options in force stay: those of one option alone, and before 9.8 those of
// a text for the whole policy. From 9.8 on RocksDB makes a new policy of it and
// drops its error.
TEST_P(RefusedSetOptionsTest, NothingChangesAndTheLogSaysSo) {
  const Mistake& mistake = GetParam();
  if (mistake.options.empty()) return;  // it is in a name
  for (const Form form : {Form::kDotted, Form::kWhole}) {
    if (form == Form::kDotted && !mistake.is_one_option) continue;
    SCOPED_TRACE(static_cast<int>(form));
    ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
    ExpectRefused(SetFilterOptions(database, mistake.options, form),
                  mistake.error);
    const bool replaced = form == Form::kWhole && kSetOptionsRemakesPolicy;
    if (!replaced) {
      EXPECT_EQ(PolicyTextOf(database), TextOf(kInForce));
    }
    ExpectStillWrites(&database);
    // Of an empty value alone the LOG of RocksDB 9 says nothing.
    const int lines =
        mistake.text == "{id=oneline;bits_per_key=}" && kSetOptionsRemakesPolicy
            ? 0
            : 1;
    EXPECT_GE(CountInLog(database,
                         {"[default] oneline: ", mistake.error[0], kUsedInstead,
                          replaced ? "" : "bits_per_key=20;"}),
              lines);
    // The right text mends it.
    ASSERT_TRUE(IsOk(SetFilterOptions(
        database, "kind=ribbon;bits_per_key=12;bits_by_level=false", form)));
    const int before = CountInLog(database, {kUsedInstead});
    database.CompactAll();
    EXPECT_NEAR(database.FilterBitsPerKey(), 12, 0.6);  // whole lines
    EXPECT_EQ(CountInLog(database, {kUsedInstead}), before);
    EXPECT_EQ(before, replaced ? before : lines);
  }
}

// What another database is given, what is asked, and what is wrong with the
// policy itself, where no database restores the options.
TEST(RefusedOptionsTest, OthersChangeNothing) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  ColumnFamilyOptions options;
  ASSERT_TRUE(IsOk(rocksdb::GetColumnFamilyOptionsFromString(
      rocksdb::ConfigOptions(), database->GetOptions(),
      "block_based_table_factory={filter_policy={bits_per_key=1000}}",
      &options)));
  const TemporaryDirectory directory;
  rocksdb::Options all(rocksdb::DBOptions(), options);
  all.create_if_missing = true;
  std::unique_ptr<rocksdb::DB> second;
  EXPECT_TRUE(rocksdb::DB::Open(all, directory.File("db"), OpenInto(&second))
                  .IsInvalidArgument());

  const PolicyPtr policy = PolicyOf(database);
  std::string value;
  EXPECT_FALSE(policy->GetOption({}, "millibits_per_key", &value).ok());
  EXPECT_TRUE(policy->GetOption({}, "bits_per_key", &value).ok());
  EXPECT_EQ(value, "20");
  EXPECT_FALSE(policy->IsInstanceOf("oneline"));
  EXPECT_FALSE(policy->IsInstanceOf("oneline:12"));
  ExpectStillWrites(&database);
  EXPECT_EQ(CountInLog(database, {"[ERROR]"}), 0);
  EXPECT_EQ(CountInLog(database, {kUsedInstead}), 0);

  EXPECT_TRUE(std::const_pointer_cast<rocksdb::FilterPolicy>(policy)
                  ->ConfigureFromString({}, "kind=ribbon;bits_per_key=101")
                  .IsInvalidArgument());
  EXPECT_EQ(PolicyTextOf(database), TextOf(kInForce));
  ExpectStillWrites(&database);
}

}  // namespace
}  // namespace oneline
