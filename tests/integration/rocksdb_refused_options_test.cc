// Wrong options of our policy, by every way into RocksDB. Where it asks, it
// gets the error and nothing changes. Where it does not ask, filters are
// written with the default options and the LOG says so: a mistake never stops a
// database.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {
namespace {

using rocksdb::Status;

struct Mistake {
  const char* options;
  std::vector<std::string> error;  // contains these
};

const Mistake kMistakes[] = {
    {"bits_per_key=101", {"bits_per_key=101", "1 to 100"}},
    {"bits_per_key=-1", {"bits_per_key=-1", "1 to 100"}},
    {"bits_per_key=nan", {"bits_per_key=nan", "1 to 100"}},
    {"bits_per_key=ten", {"bits_per_key=ten", "1 to 100"}},
    {"kind=cuckoo", {"kind=cuckoo", "ribbon or bloom"}},
    {"fp_rate=1", {"fp_rate=1", "1e-9 to 0.5"}},
    {"bloom_before_level=x", {"bloom_before_level=x", "-1 to 1000"}},
    {"max_filter_bytes=1M", {"max_filter_bytes=1M", "4096 to 2^32"}},
    {"hash_seed=x", {"hash_seed=x", "random"}},
    {"level_bits_per_key=20:101", {"level_bits_per_key=20:101", "1000"}},
    {"bits_by_level=perhaps", {"bits_by_level=perhaps", "true or false"}},
};

// Only in a text for the whole policy.
const Mistake kMistakesTogether[] = {
    {"bits_per_key=12;fp_rate=0.02", {"both given"}},
    {"fp_rate=0.02;level_bits_per_key=9:8", {"both given"}},
    {"kind=ribbon;bits_per_kye=12", {"bits_per_kye: no such option"}},
};

std::vector<Mistake> AllMistakes() {
  std::vector<Mistake> all(std::begin(kMistakes), std::end(kMistakes));
  all.insert(all.end(), std::begin(kMistakesTogether),
             std::end(kMistakesTogether));
  return all;
}

void ExpectNames(const std::string& text, const Mistake& mistake) {
  for (const std::string& part : mistake.error) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }
}

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

// The options of a column family with this policy, as from an OPTIONS file.
rocksdb::ColumnFamilyOptions FamilyWith(const std::string& policy) {
  rocksdb::ColumnFamilyOptions options;
  EXPECT_TRUE(rocksdb::GetColumnFamilyOptionsFromString(
                  rocksdb::ConfigOptions(), {},
                  "block_based_table_factory={filter_policy=" + policy + "}",
                  &options)
                  .ok());
  return options;
}

FilterOptions Wrong(const std::function<void(FilterOptions*)>& set) {
  FilterOptions options;
  set(&options);
  return options;
}

const std::vector<std::pair<FilterOptions, Mistake>>& WrongInCode() {
  static const auto* const all =
      new std::vector<std::pair<FilterOptions, Mistake>>{
          {Wrong([](auto* o) {
             o->bits_per_key = std::numeric_limits<double>::quiet_NaN();
           }),
           {"", {"bits_per_key=nan", "1 to 100"}}},
          {Wrong([](auto* o) { o->bits_per_key = 160; }),
           {"", {"bits_per_key=160", "1 to 100"}}},
          {Wrong([](auto* o) { o->kind = static_cast<Kind>(200); }),
           {"", {"kind=200", "ribbon or bloom"}}},
          {Wrong([](auto* o) {
             o->fp_rate = 0.01;
             o->bits_per_key = 10;
           }),
           {"", {"fp_rate=0.01", "bits_per_key=10", "both given"}}},
          {Wrong([](auto* o) { o->bloom_before_level = -2; }),
           {"", {"bloom_before_level=-2", "-1 to 1000"}}},
      };
  return *all;
}

TEST(RefusedOptionsTest, TheFactoryReturnsTheError) {
  for (const auto& [options, mistake] : WrongInCode()) {
    PolicyPtr policy = OurPolicy(10);
    const Status status = NewRocksDBFilterPolicy(options, &policy);
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    ExpectNames(status.ToString(), mistake);
    EXPECT_EQ(policy, nullptr);
  }
  PolicyPtr policy;
  EXPECT_TRUE(NewRocksDBFilterPolicy(FilterOptions(), &policy).ok());
  ASSERT_NE(policy, nullptr);
  ScratchDatabase database(OptionsWith(policy));
  ExpectStillWrites(&database);
}

// The log has data, which recovery would write into a table.
TEST(RefusedOptionsTest, ADatabaseDoesNotOpen) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.Put(0, 2000);
  for (const auto& [options, mistake] : WrongInCode()) {
    const Status status =
        database.TryReopen(OptionsWith(NewRocksDBFilterPolicy(options)));
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    ExpectNames(status.ToString(), mistake);
  }
  for (const Mistake& mistake : AllMistakes()) {
    const Status status = database.TryReopen(rocksdb::Options(
        rocksdb::DBOptions(),
        FamilyWith("{id=oneline;" + std::string(mistake.options) + "}")));
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    ExpectNames(status.ToString(), mistake);
  }
  for (const char* name : {"oneline:1000", "oneline:ten", "oneline:"}) {
    EXPECT_TRUE(
        database
            .TryReopen(rocksdb::Options(rocksdb::DBOptions(), FamilyWith(name)))
            .IsInvalidArgument())
        << name;
  }
  for (const auto& file :
       std::filesystem::directory_iterator(database.path())) {
    EXPECT_NE(file.path().extension(), ".sst");
  }
  database.Reopen(OptionsWith(OurPolicy(10)));
  ExpectFiltered(database, 0, 2000, 0.8);
}

// Two flushes of the family, then one of another.
void ExpectDefaultIsUsed(const rocksdb::ColumnFamilyOptions& options,
                         const Mistake& mistake) {
  ScratchDatabase database(OptionsWith(OurPolicy(20)));
  rocksdb::ColumnFamilyHandle* family = nullptr;
  // Later versions of RocksDB read the OPTIONS file that they have written, and
  // find that the option differs. The family is there all the same.
  Status status = database->CreateColumnFamily(options, "wrong", &family);
  ASSERT_NE(family, nullptr) << status.ToString();
  for (int flush = 1; flush <= 2; ++flush) {
    ASSERT_TRUE(database->Put({}, family, KeyAt(0), ValueAt(0)).ok());
    status = database->Flush({}, family);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(CountInLog(database, {"[wrong] oneline: ", mistake.error[0],
                                    kUsedInstead, "bits_per_key=10;"}),
              flush);
  }
  ExpectStillWrites(&database);
  rocksdb::PinnableSlice value;
  EXPECT_TRUE(database->Get({}, family, KeyAt(0), &value).ok());
  EXPECT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
}

TEST(RefusedOptionsTest, ACreatedColumnFamilyGetsTheDefault) {
  for (const auto& [options, mistake] : WrongInCode()) {
    SCOPED_TRACE(mistake.error[0]);
    ExpectDefaultIsUsed(OptionsWith(NewRocksDBFilterPolicy(options)), mistake);
  }
  for (const Mistake& mistake : AllMistakes()) {
    SCOPED_TRACE(mistake.options);
    ExpectDefaultIsUsed(
        FamilyWith("{id=oneline;" + std::string(mistake.options) + "}"),
        mistake);
  }
}

TEST(RefusedOptionsTest, SstFileWriterUsesTheDefault) {
  for (const bool partitioned : {false, true}) {
    for (const auto& [options, mistake] : WrongInCode()) {
      const TemporaryDirectory directory;
      rocksdb::BlockBasedTableOptions table;
      if (partitioned) {
        table.index_type =
            rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
        table.partition_filters = true;
      }
      rocksdb::Options with =
          OptionsWith(NewRocksDBFilterPolicy(options), table);
      const auto log = std::make_shared<LinesLogged>();
      with.info_log = log;
      rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), with);
      ASSERT_TRUE(writer.Open(directory.File("sst")).ok());
      for (int i = 0; i < 2000; i += 2) {
        ASSERT_TRUE(writer.Put(KeyAt(i), ValueAt(i)).ok());
      }
      const Status status = writer.Finish();
      ASSERT_TRUE(status.ok()) << status.ToString();
      std::string lines;
      for (const std::string& line : log->lines) lines += line;
      ExpectNames(lines, mistake);
      ScratchDatabase database(OptionsWith(OurPolicy(10)));
      ASSERT_TRUE(
          database->IngestExternalFile({directory.File("sst")}, {}).ok());
      EXPECT_NEAR(database.FilterBitsPerKey(), 10, partitioned ? 3 : 0.5);
      ExpectFiltered(database, 0, 2000, 0.8);
    }
  }
}

TEST(RefusedOptionsTest, SetOptionsOfOneKeepsTheOptionsInForce) {
  for (const Mistake& mistake : kMistakes) {
    SCOPED_TRACE(mistake.options);
    ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
    ExpectRefused(SetFilterOptions(database, mistake.options, Form::kDotted),
                  mistake.error);
    EXPECT_EQ(PolicyTextOf(database), TextOf(kInForce));
    database.WriteTable(0, 20000);
    database.WriteTable(0, 20000);
    EXPECT_EQ(CountInLog(database, {"[default] oneline: ", mistake.error[0],
                                    kUsedInstead, "bits_per_key=20;"}),
              1);
    // It is no longer in the way.
    ASSERT_TRUE(
        SetFilterOptions(database, "bits_per_key=12", Form::kDotted).ok());
    database.CompactAll();
    EXPECT_NEAR(database.FilterBitsPerKey(), 12, 0.1);
    EXPECT_EQ(CountInLog(database, {kUsedInstead}), 1);
  }
}

// From 9.8 on RocksDB makes a new policy and drops its error.
TEST(RefusedOptionsTest, SetOptionsOfTheWholePolicy) {
  for (const Mistake& mistake : AllMistakes()) {
    SCOPED_TRACE(mistake.options);
    ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
    ExpectRefused(SetFilterOptions(database, mistake.options), mistake.error);
    const std::string used = kSetOptionsDropsErrors ? "oneline:10" : kInForce;
    if (!kSetOptionsDropsErrors) {
      EXPECT_EQ(PolicyTextOf(database), TextOf(used));
    }
    ExpectStillWrites(&database);
    EXPECT_GE(CountInLog(database, {"[default] oneline: ", mistake.error[0],
                                    kUsedInstead}),
              1);
    // The right text mends it.
    ASSERT_TRUE(SetFilterOptions(
                    database, "kind=ribbon;bits_per_key=12;bits_by_level=false")
                    .ok());
    const int before = CountInLog(database, {kUsedInstead});
    database.CompactAll();
    EXPECT_NEAR(database.FilterBitsPerKey(), 12, 0.6);  // whole lines
    EXPECT_EQ(CountInLog(database, {kUsedInstead}), before);
  }
}

// Options as text on top of those of an open database.
TEST(RefusedOptionsTest, AnotherDatabaseHasAPolicyOfItsOwn) {
  ScratchDatabase first(OptionsWith(PolicyNamed(kInForce)));
  rocksdb::ColumnFamilyOptions options;
  ASSERT_TRUE(
      rocksdb::GetColumnFamilyOptionsFromString(
          rocksdb::ConfigOptions(), first->GetOptions(),
          "block_based_table_factory={filter_policy={bits_per_key=1000}}",
          &options)
          .ok());
  const TemporaryDirectory directory;
  rocksdb::Options all(rocksdb::DBOptions(), options);
  all.create_if_missing = true;
  std::unique_ptr<rocksdb::DB> second;
  EXPECT_TRUE(rocksdb::DB::Open(all, directory.File("db"), OpenInto(&second))
                  .IsInvalidArgument());
  EXPECT_EQ(PolicyTextOf(first), TextOf(kInForce));
  ExpectStillWrites(&first);
  EXPECT_EQ(CountInLog(first, {kUsedInstead}), 0);
}

// To read what is not there is no mistake.
TEST(RefusedOptionsTest, QuestionsChangeNothing) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  const PolicyPtr policy = PolicyOf(database);
  std::string value;
  EXPECT_FALSE(policy->GetOption({}, "millibits_per_key", &value).ok());
  EXPECT_TRUE(policy->GetOption({}, "bits_per_key", &value).ok());
  EXPECT_EQ(value, "20");
  EXPECT_FALSE(policy->IsInstanceOf("oneline:12"));
  EXPECT_EQ(PolicyTextOf(database), TextOf(kInForce));
  ExpectStillWrites(&database);
  EXPECT_EQ(CountInLog(database, {"[ERROR]"}), 0);
}

// Only our own name is ours.
TEST(RefusedOptionsTest, NamesThatAreNotOursAreUnknown) {
  for (const char* name :
       {"kind=cuckoo", "bits_per_key=12", "fp_rate=0.01", "onelines", "one"}) {
    PolicyPtr policy;
    const Status status = rocksdb::FilterPolicy::CreateFromString(
        rocksdb::ConfigOptions(), name, &policy);
    EXPECT_TRUE(!status.ok() || policy == nullptr) << name;
  }
}

}  // namespace
}  // namespace oneline
