// Tests of filter_policy/rocksdb/rocksdb_registration.h: RocksDB knows the
// names of our policy in OPTIONS files and strings, saves them, and loads the
// same options from them again.

#include "filter_policy/rocksdb/rocksdb_registration.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/options_util.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/filter_options.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyDescriptor;
using rocksdb::ColumnFamilyOptions;
using rocksdb::ConfigOptions;
using rocksdb::DBOptions;
using rocksdb::Status;

struct Name {
  const char* text;  // as a user writes it
  // The options that are not default ones, which are not saved: as GetOption
  // prints them.
  std::map<std::string, std::string> saved;
};

std::ostream& operator<<(std::ostream& out, const Name& name) {
  return out << name.text;
}

const Name kNames[] = {
    {"oneline", {}},
    {"oneline:10", {{"bits_per_key", "10"}}},
    {"oneline:9.875", {{"bits_per_key", "9.875"}}},
    {"oneline:0", {{"bits_per_key", "0"}}},
    {"{id=oneline}", {}},
    {"{id=oneline;kind=ribbon;bits_per_key=10;hash_seed=7}",
     {{"bits_per_key", "10"}, {"hash_seed", "7"}}},
    {"{id=oneline;kind=bloom}", {{"kind", "bloom"}}},
    {"{id=oneline;fp_rate=1e-5;kind=ribbon;bloom_before_level=0}",
     {{"fp_rate", "1e-05"}, {"bloom_before_level", "0"}}},
    {"{id=oneline:9;bloom_before_level=7}",
     {{"bits_per_key", "9"}, {"bloom_before_level", "7"}}},
    {"{id=oneline;bits_per_key=33.3;}", {{"bits_per_key", "33.3"}}},
    {"{id=oneline:12;hash_seed=18446744073709551615}",
     {{"bits_per_key", "12"}, {"hash_seed", "18446744073709551615"}}},
    {"{bits_by_level=0;id=oneline;fp_rate=0.01}",
     {{"fp_rate", "0.01"}, {"bits_by_level", "false"}}},
    {"{id=oneline;level_bits_per_key=16:16:14.125:12:0:8}",
     {{"level_bits_per_key", "16:16:14.125:12:0:8"}}},
    {"{id=oneline;hits=0.9;bits_by_level=true}", {{"hits", "0.9"}}},
    {"{id=oneline;max_filter_bytes=4096}", {{"max_filter_bytes", "4096"}}},
    // The bits in a name are set before the options behind it, one of which can
    // take their place.
    {"{id=oneline:9;fp_rate=0.01}", {{"fp_rate", "0.01"}}},
};

const rocksdb::FilterPolicy* PolicyOf(const ColumnFamilyOptions& options) {
  const auto* table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  return table == nullptr ? nullptr : table->filter_policy.get();
}

void ExpectPolicy(const rocksdb::FilterPolicy* policy, const Name& name) {
  ASSERT_NE(policy, nullptr);
  EXPECT_STREQ(policy->Name(), "oneline");
  for (const OptionRow& option : kOptions) {
    const auto saved = name.saved.find(option.name);
    std::string value;
    EXPECT_TRUE(policy->GetOption(ConfigOptions(), option.name, &value).ok());
    EXPECT_EQ(value, saved == name.saved.end() ? "" : saved->second)
        << option.name;
  }
}

// Writes an OPTIONS file with this filter policy, as a user would, and returns
// its path.
std::string WriteOptionsFile(const TemporaryDirectory& directory,
                             const std::string& policy) {
  const std::string path = directory.File("OPTIONS.ini");
  std::ofstream(path) << "[Version]\n"
                         "  rocksdb_version=7.8.3\n"
                         "  options_file_version=1.1\n"
                         "[DBOptions]\n"
                         "  create_if_missing=true\n"
                         "[CFOptions \"default\"]\n"
                         "[TableOptions/BlockBasedTable \"default\"]\n"
                         "  filter_policy=" +
                             policy + "\n";
  return path;
}

struct Loaded {
  Status status;
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
};

Loaded LoadFile(const std::string& path) {
  Loaded loaded;
  loaded.status = rocksdb::LoadOptionsFromFile(ConfigOptions(), path,
                                               &loaded.db, &loaded.families);
  return loaded;
}

Loaded LoadLatest(const std::string& database) {
  Loaded loaded;
  loaded.status = rocksdb::LoadLatestOptions(ConfigOptions(), database,
                                             &loaded.db, &loaded.families);
  return loaded;
}

Status Open(const Loaded& loaded, const std::string& path,
            std::unique_ptr<rocksdb::DB>* db) {
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const Status status = rocksdb::DB::Open(loaded.db, path, loaded.families,
                                          &handles, OpenInto(db));
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    EXPECT_TRUE((*db)->DestroyColumnFamilyHandle(handle).ok());
  }
  return status;
}

class NameTest : public testing::TestWithParam<Name> {};
INSTANTIATE_TEST_SUITE_P(Names, NameTest, testing::ValuesIn(kNames));

// As a policy and in the options of a family; and so is the text that the
// policy prints, which has only what is given.
TEST_P(NameTest, IsKnown) {
  const PolicyPtr policy = PolicyNamed(GetParam().text);
  ExpectPolicy(policy.get(), GetParam());
  ColumnFamilyOptions options;
  Status status = rocksdb::GetColumnFamilyOptionsFromString(
      ConfigOptions(), ColumnFamilyOptions(),
      std::string("block_based_table_factory={filter_policy=") +
          GetParam().text + "}",
      &options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ExpectPolicy(PolicyOf(options), GetParam());

  const std::string text = policy->ToString(ConfigOptions());
  const PolicyPtr again = PolicyNamed(text);
  ExpectPolicy(again.get(), GetParam());
  std::string mismatch;
  EXPECT_TRUE(policy->AreEquivalent(ConfigOptions(), again.get(), &mismatch))
      << mismatch;
  // The text is {name=value;name=value;...}, and begins with the id.
  for (const OptionRow& option : kOptions) {
    EXPECT_EQ(text.find(std::string(";") + option.name + "=") != text.npos,
              GetParam().saved.count(option.name) != 0)
        << option.name << " in " << text;
  }
}

// A name is loaded from a file, used, saved by RocksDB in the database, and
// loaded again.
TEST_P(NameTest, SurvivesOptionsFiles) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("db");
  const Loaded first = LoadFile(WriteOptionsFile(directory, GetParam().text));
  ASSERT_TRUE(first.status.ok()) << first.status.ToString();
  ASSERT_EQ(first.families.size(), 1u);
  ExpectPolicy(PolicyOf(first.families[0].options), GetParam());
  std::unique_ptr<rocksdb::DB> db;
  Status status = Open(first, path, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  db.reset();

  const Loaded saved = LoadLatest(path);
  ASSERT_TRUE(saved.status.ok()) << saved.status.ToString();
  ExpectPolicy(PolicyOf(saved.families[0].options), GetParam());
  // Compares each option with the saved file.
  status = rocksdb::CheckOptionsCompatibility(ConfigOptions(), path, saved.db,
                                              saved.families);
  EXPECT_TRUE(status.ok()) << status.ToString();
  status = Open(saved, path, &db);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_TRUE(db->Put(rocksdb::WriteOptions(), "key", "value").ok());
  ASSERT_TRUE(db->Flush(rocksdb::FlushOptions()).ok());
}

// So a version that lacks an option reads the file of one that has it.
TEST(RegistrationTest, DefaultsAreNotNamed) {
  for (const char* text :
       {"oneline", "{id=oneline}",
        "{id=oneline;kind=ribbon;bits_by_level=1;bloom_before_level=-1;"
        "max_filter_bytes=none;hash_seed=random}"}) {
    EXPECT_EQ(PolicyNamed(text)->ToString(ConfigOptions()), "oneline");
  }
  EXPECT_EQ(PolicyNamed("{id=oneline;kind=bloom}")->ToString(ConfigOptions()),
            "{id=oneline;kind=bloom;}");
  ScratchDatabase database(OptionsWith(PolicyNamed("oneline")));
  EXPECT_EQ(
      RunProgram("grep -h filter_policy= " + database.path() + "/OPTIONS-*")
          .out,
      "  filter_policy=oneline\n");
}

TEST(RegistrationTest, PoliciesAreEquivalentWithTheSameOptions) {
  const auto equivalent = [](const char* a, const char* b) {
    std::string mismatch;
    return PolicyNamed(a)->AreEquivalent(ConfigOptions(), PolicyNamed(b).get(),
                                         &mismatch);
  };
  EXPECT_TRUE(equivalent("oneline:10", "{id=oneline;bits_per_key=10.0001}"));
  EXPECT_FALSE(equivalent("oneline:10", "oneline:10.001"));
  EXPECT_FALSE(equivalent("oneline:10", "{id=oneline;hash_seed=10}"));
  EXPECT_FALSE(
      equivalent("{id=oneline;hash_seed=1}", "{id=oneline;hash_seed=2}"));
  EXPECT_FALSE(equivalent("oneline:10", "bloomfilter:10:false"));
  EXPECT_FALSE(equivalent("oneline:10", "{id=oneline;kind=bloom}"));
  EXPECT_FALSE(equivalent("oneline:10", "{id=oneline;fp_rate=0.01}"));
  EXPECT_FALSE(equivalent("oneline:10", "{id=oneline;bits_by_level=false}"));
  EXPECT_FALSE(equivalent("oneline", "{id=oneline;bloom_before_level=0}"));
  EXPECT_TRUE(equivalent("{id=oneline;fp_rate=0.01}",
                         "{id=oneline;fp_rate=1.0000001e-2}"));
}

// Options changed while the database is open are saved.
TEST(RegistrationTest, ChangedOptionsAreSaved) {
  ScratchDatabase database(OptionsWith(PolicyNamed("oneline")));
  const struct {
    const char* set;
    Name saved;
  } kChanges[] = {
      {"bits_per_key=12.5", {"", {{"bits_per_key", "12.5"}}}},
      {"fp_rate=0.01", {"", {{"fp_rate", "0.01"}}}},
      {"bits_per_key=9;kind=bloom",
       {"", {{"bits_per_key", "9"}, {"kind", "bloom"}}}},
  };
  for (const auto& change : kChanges) {
    SCOPED_TRACE(change.set);
    ASSERT_TRUE(database
                    ->SetOptions(
                        {{"block_based_table_factory",
                          std::string("{filter_policy={") + change.set + "}}"}})
                    .ok());
    const Loaded saved = LoadLatest(database.path());
    ASSERT_TRUE(saved.status.ok()) << saved.status.ToString();
    ExpectPolicy(PolicyOf(saved.families[0].options), change.saved);
  }
}

TEST(RegistrationTest, WrongOptionsBehindAName) {
  for (const auto& [text, error] :
       {std::pair<const char*, const char*>{"{id=oneline:9;fp_rate=0.9}",
                                            "fp_rate=0.9"},
        {"{id=oneline:101;hash_seed=7}", "bits_per_key=101"}}) {
    SCOPED_TRACE(text);
    PolicyPtr policy;
    Status status =
        rocksdb::FilterPolicy::CreateFromString(ConfigOptions(), text, &policy);
    if (status.ok()) {
      status = policy->ValidateOptions(DBOptions(), ColumnFamilyOptions());
    }
    EXPECT_NE(status.ToString().find(error), std::string::npos)
        << status.ToString();
  }
}

}  // namespace
}  // namespace oneline
