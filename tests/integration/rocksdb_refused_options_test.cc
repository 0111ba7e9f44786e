// Wrong options of our policy, by every way into RocksDB. Where it asks, it
// gets the error and nothing changes. Where it does not ask, filters are
// written with the default options and the LOG says so: a mistake never stops a
// database.

#include <rocksdb/utilities/options_util.h>

#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tests/filter_policy/options/expect_options.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyOptions;
using rocksdb::Status;

// None of these is a default.
constexpr char kInForce[] =
    "{id=oneline;kind=bloom;bits_per_key=20;bits_by_level=false}";

void ExpectStillWrites(ScratchDatabase* database) {
  database->WriteTable(0, 2000);
  database->CompactAll();
  ExpectFiltered(*database, 0, 2000, 0.8);
}

Status FamilyWith(const Mistake& mistake, ColumnFamilyOptions* options) {
  return rocksdb::GetColumnFamilyOptionsFromString(
      rocksdb::ConfigOptions(), {},
      "block_based_table_factory={filter_policy=" + mistake.text + "}",
      options);
}

// From an OPTIONS file that a later version of RocksDB wrote.
Status LoadLaterFile(const Mistake& mistake, ColumnFamilyOptions* options) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("OPTIONS"))
      << "[Version]\n  rocksdb_version=99.1.0\n  options_file_version=1.1\n"
         "[DBOptions]\n[CFOptions \"default\"]\n"
         "[TableOptions/BlockBasedTable \"default\"]\n  filter_policy="
      << mistake.text << "\n";
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = true;
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  const Status status = rocksdb::LoadOptionsFromFile(
      config, directory.File("OPTIONS"), &db_options, &families);
  if (status.ok()) *options = families.at(0).options;
  return status;
}

class RefusedOptionsTest : public testing::TestWithParam<Mistake> {};

INSTANTIATE_TEST_SUITE_P(All, RefusedOptionsTest,
                         testing::ValuesIn(SomeMistakes()));

// RocksDB finds the error, or drops it and leaves it to DB::Open. The log has
// data, which recovery would write into a table.
TEST_P(RefusedOptionsTest, NoDatabaseOpens) {
  const Mistake& mistake = GetParam();
  for (const bool is_later_file : {false, true}) {
    SCOPED_TRACE(is_later_file);
    ScratchDatabase database(OptionsWith(OurPolicy(10)));
    database.Put(0, 100);
    ColumnFamilyOptions family;
    Status status = is_later_file ? LoadLaterFile(mistake, &family)
                                  : FamilyWith(mistake, &family);
    if (status.ok()) {
      const rocksdb::Options options(rocksdb::DBOptions(), family);
      status = database.TryReopen(options);
      // Not when it is tried again, either.
      if (!status.ok()) status = database.TryReopen(options);
    }
    // RocksDB ignores unknown options in files of later versions, and wrong
    // values as well; our policy does not.
    if (is_later_file && mistake.unknown) {
      EXPECT_TRUE(IsOk(status));
      continue;
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
}

// Where RocksDB does not ask. Two flushes of the family, then one of another.
TEST_P(RefusedOptionsTest, ACreatedColumnFamilyGetsTheDefault) {
  const Mistake& mistake = GetParam();
  ColumnFamilyOptions options;
  ASSERT_TRUE(FamilyWith(mistake, &options).ok());
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

// The options in force stay: those of one option alone, and before 9.8 those of
// a text for the whole policy. From 9.8 on RocksDB makes a new policy of it and
// drops its error.
TEST_P(RefusedOptionsTest, SetOptionsChangesNothingAndTheLogSaysSo) {
  const Mistake& mistake = GetParam();
  if (mistake.options.empty()) return;  // it is in a name
  for (const Form form : {Form::kDotted, Form::kWhole}) {
    if (form == Form::kDotted && !mistake.is_one_option) continue;
    SCOPED_TRACE(static_cast<int>(form));
    ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
    const std::string before = PolicyTextOf(database);
    ExpectRefused(SetFilterOptions(database, mistake.options, form),
                  mistake.error);
    const bool replaced = form == Form::kWhole && kSetOptionsRemakesPolicy;
    EXPECT_TRUE(replaced || PolicyTextOf(database) == before);
    ExpectStillWrites(&database);
    // Of an empty value alone the LOG of RocksDB 9 says nothing.
    const bool is_empty = mistake.text == "{id=oneline;bits_per_key=}";
    EXPECT_GE(CountInLog(database,
                         {"[default] oneline: ", mistake.error[0], kUsedInstead,
                          replaced ? "" : "bits_per_key=20;"}),
              is_empty && kSetOptionsRemakesPolicy ? 0 : 1);
    // The right text mends it.
    ASSERT_TRUE(IsOk(SetFilterOptions(
        database, "kind=ribbon;bits_per_key=12;bits_by_level=false", form)));
    const int lines = CountInLog(database, {kUsedInstead});
    database.CompactAll();
    EXPECT_NEAR(database.FilterBitsPerKey(), 12, 0.6);  // whole lines
    EXPECT_EQ(CountInLog(database, {kUsedInstead}), lines);
  }
}

std::string TextOf(const std::string& policy) {
  return PolicyNamed(policy)->ToString(rocksdb::ConfigOptions());
}

// The options that a text for the whole policy does not name have their
// defaults. Before 9.8 RocksDB refuses a text with an id.
TEST(SetOptionsTest, ATextForTheWholePolicy) {
  ScratchDatabase database(
      OptionsWith(PolicyNamed("{id=oneline:16;kind=bloom}")));
  EXPECT_EQ(PolicyTextOf(database),
            TextOf("{id=oneline;kind=bloom;bits_per_key=16}"));
  ASSERT_TRUE(IsOk(SetFilterOptions(database, "fp_rate=0.01")));
  EXPECT_EQ(PolicyTextOf(database), TextOf("{id=oneline;fp_rate=0.01}"));
  EXPECT_FALSE(PolicyOf(database)->IsInstanceOf("oneline"));  // asked from 9.8
  const Status status =
      database->SetOptions({{"table_factory.filter_policy", "oneline:12"}});
  if (!kSetOptionsRemakesPolicy) {
    EXPECT_TRUE(status.IsInvalidArgument());  // another id
    return;
  }
  ASSERT_TRUE(IsOk(status));
  EXPECT_EQ(PolicyTextOf(database), TextOf("oneline:12"));
}

// RocksDB sets them one by one. Those of one call are known to be of one call,
// and none of them holds; those of two calls replace each other.
TEST(SetOptionsTest, TwoThatExcludeEachOtherByName) {
  const std::pair<std::string, std::string> pairs[] = {
      {"bits_per_key=12", "fp_rate=0.01"},
      {"level_bits_per_key=16:9", "fp_rate=0.01"},
      {"hits=0.5", "bits_by_level=false"}};
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  const auto set = [&database](const std::string& options) {
    return SetFilterOptions(database, options, Form::kDotted);
  };
  for (const auto& [one, other] : pairs) {
    SCOPED_TRACE(one);
    const std::string before = PolicyTextOf(database);
    ExpectRefused(set(one + ";" + other + ";kind=ribbon"), {one, other});
    EXPECT_TRUE(kSetOptionsRemakesPolicy || PolicyTextOf(database) == before);
    // Nothing here prints the options, as PolicyTextOf does.
    ExpectRefused(set(other + ";" + one), {one, other});
    for (const std::string& alone : {one, other, one, other}) {
      ASSERT_TRUE(IsOk(set(alone + ";kind=bloom"))) << alone;
    }
    EXPECT_NE(PolicyTextOf(database).find(other), std::string::npos);
  }
  ExpectStillWrites(&database);
}

TEST(RefusedInCodeTest, TheFactoryReturnsTheError) {
  for (const Mistake& mistake : AllMistakes()) {
    if (!mistake.made.has_value()) continue;
    PolicyPtr policy = OurPolicy(10);
    const Status status = NewRocksDBFilterPolicy(*mistake.made, &policy);
    ExpectError(status.ToString(), mistake.error);
    EXPECT_EQ(policy, nullptr);
  }
  EXPECT_TRUE(
      NewRocksDBFilterPolicy(FilterOptions(), nullptr).IsInvalidArgument());
}

}  // namespace
}  // namespace oneline
