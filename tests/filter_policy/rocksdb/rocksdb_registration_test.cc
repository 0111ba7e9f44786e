// Tests of filter_policy/rocksdb/rocksdb_registration.h: RocksDB knows the
// names of our policy in OPTIONS files and strings, saves them, and loads the
// same options from them again; and of what a policy shares and what was
// refused (rocksdb_shared_options.h).

#include "filter_policy/rocksdb/rocksdb_registration.h"

#include <rocksdb/utilities/options_util.h>

#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "oneline/version.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/scratch_database.h"

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

const Name kNames[] = {
    {"oneline", {}},
    {"oneline:9.875", {{"bits_per_key", "9.875"}}},
    {"{id=oneline;kind=ribbon;bits_per_key=10;hash_seed=7}",
     {{"bits_per_key", "10"}, {"hash_seed", "7"}}},
    {"{id=oneline;fp_rate=1e-5;kind=ribbon;bloom_before_level=0}",
     {{"fp_rate", "1e-05"}, {"bloom_before_level", "0"}}},
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
  return options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
      ->filter_policy.get();
}

// Its options, and its text, which has those that are given alone.
void ExpectPolicy(const rocksdb::FilterPolicy* policy, const Name& name) {
  ASSERT_NE(policy, nullptr);
  EXPECT_STREQ(policy->Name(), "oneline");
  const std::string text = policy->ToString(ConfigOptions());
  for (const OptionRow& option : kOptions) {
    const auto saved = name.saved.find(option.name);
    std::string value;
    EXPECT_TRUE(policy->GetOption(ConfigOptions(), option.name, &value).ok());
    EXPECT_EQ(value, saved == name.saved.end() ? "" : saved->second)
        << option.name;
    // The text is {name=value;name=value;...}, and begins with the id.
    EXPECT_EQ(text.find(std::string(";") + option.name + "=") != text.npos,
              saved != name.saved.end())
        << option.name << " in " << text;
  }
}

// The options that RocksDB saved last.
rocksdb::Options LoadLatest(const std::string& database) {
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  const Status status = rocksdb::LoadLatestOptions(ConfigOptions(), database,
                                                   &options, &families);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return rocksdb::Options(options, families.at(0).options);
}

// In the options of a database, which RocksDB saves and loads again; and the
// text that the policy prints makes the same policy.
TEST(RegistrationTest, NamesSurviveOptionsFiles) {
  for (const Name& name : kNames) {
    SCOPED_TRACE(name.text);
    rocksdb::Options options = OptionsWith(nullptr);
    Status status = rocksdb::GetColumnFamilyOptionsFromString(
        ConfigOptions(), options,
        std::string("block_based_table_factory={filter_policy=") + name.text +
            "}",
        &options);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectPolicy(PolicyOf(options), name);
    const PolicyPtr again =
        PolicyNamed(PolicyOf(options)->ToString(ConfigOptions()));
    ExpectPolicy(again.get(), name);
    std::string mismatch;
    EXPECT_TRUE(PolicyOf(options)->AreEquivalent(ConfigOptions(), again.get(),
                                                 &mismatch))
        << mismatch;
    ScratchDatabase database(options);
    database.Close();
    const rocksdb::Options saved = LoadLatest(database.path());
    ExpectPolicy(PolicyOf(saved), name);
    // Compares each option with the saved file.
    status = rocksdb::CheckOptionsCompatibility(
        ConfigOptions(), database.path(), saved, {{"default", saved}});
    EXPECT_TRUE(status.ok()) << status.ToString();
    database.Reopen(saved);
    database.WriteTable(0, 10);
  }
}

// RocksDB would drop them without an error, and with them the filter.
TEST(RegistrationTest, NamesThatAreNearlyOursDoNotOpen) {
  const TemporaryDirectory directory;
  for (const std::string text :
       {"onelin:10", "Oneline:10", "{id=Oneline;bits_per_key=10}", "onelines",
        "oneline10", "online:10", "{id=oneline;bits_per_key=10"}) {
    SCOPED_TRACE(text);
    std::ofstream(directory.File("OPTIONS"))
        << "[Version]\n  rocksdb_version=7.8.3\n  options_file_version=1.1\n"
           "[DBOptions]\n[CFOptions \"default\"]\n"
           "[TableOptions/BlockBasedTable \"default\"]\n  filter_policy="
        << text << "\n";
    rocksdb::Options options;
    std::vector<ColumnFamilyDescriptor> families;
    Status status = rocksdb::LoadOptionsFromFile(
        ConfigOptions(), directory.File("OPTIONS"), &options, &families);
    if (status.ok()) {
      options.create_if_missing = true;
      status = ScratchDatabase(OptionsWith(nullptr))
                   .TryReopen({options, families.at(0).options});
    }
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    EXPECT_NE(status.ToString().find("names no policy of this library"),
              std::string::npos);
  }
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

// Options changed while the database is open are saved.
TEST(RegistrationTest, ChangedOptionsAreSaved) {
  ScratchDatabase database(OptionsWith(PolicyNamed("oneline")));
  for (const auto& [changes, saved] :
       {std::pair("bits_per_key=12.5", "oneline:12.5"),
        {"fp_rate=0.01", "{id=oneline;fp_rate=0.01}"},
        {"bits_per_key=9;kind=bloom", "{id=oneline:9;kind=bloom}"}}) {
    SCOPED_TRACE(changes);
    const std::string text = std::string("{filter_policy={") + changes + "}}";
    ASSERT_TRUE(
        database->SetOptions({{"block_based_table_factory", text}}).ok());
    EXPECT_EQ(PolicyOf(LoadLatest(database.path()))->ToString(ConfigOptions()),
              PolicyNamed(saved)->ToString(ConfigOptions()));
  }
}

// RocksDB makes the policy of a family all the same.
TEST(SharedOptionsTest, AWrongTextLeavesDefaultsThatCanBeSet) {
  SharedOptions options(FilterOptions(), "mistake");
  EXPECT_EQ(options.BeginUse(), "mistake");
  EXPECT_EQ(options.Set("bits_per_key", "12"), "");
  EXPECT_EQ(options.Get().bits_per_key, 12);
  EXPECT_NE(options.Set("bits_per_key", "1000"), "");
  EXPECT_EQ(options.Get().bits_per_key, 12);
}

// RocksDB sets the other options of a text whose name was refused.
TEST(SharedOptionsTest, TheRestOfAWrongTextIsNotTaken) {
  SharedOptions options(FilterOptions(), "mistake");
  EXPECT_EQ(options.SetAll({{"bits_per_key", "14"}}), "mistake");
  EXPECT_FALSE(options.Get().bits_per_key.has_value());
  EXPECT_EQ(options.TakeMistakeToLog(), "mistake");
}

// Neither those of a policy that stands in for another one.
TEST(SharedOptionsTest, OtherVersionsDoNotFindThem) {
  const std::string version = ONELINE_VERSION;
  for (const char* saved_as : {"oneline", "bloomfilter:10:false"}) {
    const PolicyPtr policy(MakeRocksDBFilterPolicy(FilterOptions(), saved_as));
    EXPECT_EQ(policy->GetOptions<void>("oneline"), nullptr);
    EXPECT_NE(policy->GetOptions<void>("oneline." + version), nullptr);
  }
}

}  // namespace
}  // namespace oneline
