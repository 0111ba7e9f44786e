// Mistakes in SetOptions and CreateColumnFamily: the options stay as they were,
// and the LOG says what was refused and what filters are written with.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {
namespace {

using rocksdb::Status;
using Kinds = std::vector<std::string>;

// None of these is a default.
constexpr char kInForce[] =
    "{id=oneline;kind=bloom;bits_per_key=20;effort=2;allocation=uniform}";

// Expects that the options of kInForce hold, in the database and in its OPTIONS
// file.
void ExpectInForce(ScratchDatabase* database) {
  const std::string text = PolicyTextOf(*database);
  EXPECT_EQ(text, PolicyNamed(kInForce)->ToString(rocksdb::ConfigOptions()));
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  ASSERT_TRUE(
      rocksdb::LoadLatestOptions({}, database->path(), &db_options, &families)
          .ok());
  const auto* const table =
      families[0]
          .options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  ASSERT_NE(table->filter_policy, nullptr);
  EXPECT_EQ(table->filter_policy->ToString(rocksdb::ConfigOptions()), text);
  database->WriteTable(0, 20000);
  database->CompactAll();
  EXPECT_EQ(KindsOfTables(*database)[0].substr(3), "bloom");
  EXPECT_NEAR(database->FilterBitsPerKey(), 20, 0.1);
}

struct Mistake {
  const char* options;
  std::vector<std::string> error;
};

int CountRefusals(const ScratchDatabase& database, const Mistake& mistake) {
  int lines = -1;
  for (const std::string& part : mistake.error) {
    const int with_part =
        CountInLog(database, {"[default] oneline: ", part, kUsedInstead});
    lines = lines < 0 ? with_part : std::min(lines, with_part);
  }
  return lines;
}

const Mistake kMistakes[] = {
    {"bits_per_key=101", {"bits_per_key=101", "1 to 100"}},
    {"bits_per_key=-1", {"bits_per_key=-1", "1 to 100"}},
    {"bits_per_key=nan", {"bits_per_key=nan", "1 to 100"}},
    {"bits_per_key=ten", {"bits_per_key=ten", "1 to 100"}},
    {"kind=cuckoo", {"kind=cuckoo", "ribbon or bloom"}},
    {"fp_rate=1", {"fp_rate=1", "1e-9 to 0.5"}},
    {"effort=3", {"effort=3", "1, 2, 4 or 8"}},
    {"bloom_before_level=x", {"bloom_before_level=x", "-1 to 1000"}},
    {"max_filter_bytes=1M", {"max_filter_bytes=1M", "4096 to 2^32"}},
    {"hash_seed=x", {"hash_seed=x", "random"}},
    {"level_bits_per_key=20:101", {"level_bits_per_key=20:101", "1000"}},
    {"allocation=best", {"allocation=best", "monkey"}},
    {"bits_per_kye=12", {"bits_per_kye: no such option"}},
};

TEST(RefusedOptionsTest, AMistakeKeepsTheOptionsInForce) {
  for (const Form form : {Form::kWhole, Form::kDotted}) {
    for (const Mistake& mistake : kMistakes) {
      SCOPED_TRACE(std::string(mistake.options) +
                   (form == Form::kWhole ? ", whole" : ", dotted"));
      ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
      // RocksDB itself may find that there is no such option.
      const bool ours = form == Form::kWhole || mistake.error.size() > 1;
      ExpectRefused(SetFilterOptions(database, mistake.options, form),
                    ours ? mistake.error : std::vector<std::string>());
      ExpectInForce(&database);
      EXPECT_EQ(CountRefusals(database, mistake), 1);
      // It is no longer in the way.
      ASSERT_TRUE(SetFilterOptions(database, "bits_per_key=12", form).ok());
      database.CompactAll();
      EXPECT_NEAR(database.FilterBitsPerKey(), 12, 0.1);
      EXPECT_EQ(CountRefusals(database, mistake), 1);
    }
  }
}

// Several options of which one is wrong, or two that exclude each other. That
// one of them has the value in force makes no difference.
TEST(RefusedOptionsTest, OfATextWithAMistakeNothingHolds) {
  for (const Mistake& mistake : {
           Mistake{"bits_per_key=12;fp_rate=0.02", {"both given"}},
           Mistake{"bits_per_key=20;fp_rate=0.02", {"both given"}},
           Mistake{"allocation=monkey;level_bits_per_key=9:8", {"both given"}},
           Mistake{"bits_per_key=12;hash_seed=x", {"hash_seed=x"}},
           Mistake{"kind=ribbon;bits_per_kye=12", {"bits_per_kye"}},
           Mistake{"id=oneline;bits_per_key=12;effort=3", {"effort=3"}},
           Mistake{"id=oneline:12;effort=3", {"effort=3"}},
           Mistake{"id=oneline:1000", {"bits_per_key=1000", "1 to 100"}},
           Mistake{"id=oneline:1000;effort=4", {"bits_per_key=1000"}},
           Mistake{"id=oneline:ten", {"bits_per_key=ten"}},
       }) {
    SCOPED_TRACE(mistake.options);
    ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
    ExpectRefused(SetFilterOptions(database, mistake.options));
    ExpectInForce(&database);
    // RocksDB 7.8 refuses another id before it asks the policy.
    if (kSetOptionsDropsErrors) {
      EXPECT_EQ(CountRefusals(database, mistake), 1);
    }
  }
}

// The policy's line as a whole.
TEST(RefusedOptionsTest, MistakesInItsText) {
  for (const char* name : {"table_factory.filter_policy",
                           "block_based_table_factory.filter_policy"}) {
    for (const char* text : {"oneline:1000", "oneline:x", "{bits_per_kye=12}",
                             "{id=oneline;bits_per_key=12;kind=x}"}) {
      SCOPED_TRACE(std::string(name) + "=" + text);
      ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
      ExpectRefused(database->SetOptions({{name, text}}));
      ExpectInForce(&database);
    }
  }
}

// Mistakes one after another, and then a right call, before a table is written.
TEST(RefusedOptionsTest, EachMistakeIsInTheLog) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  for (const Form form : {Form::kWhole, Form::kDotted, Form::kWhole}) {
    for (const Mistake& mistake : kMistakes) {
      ExpectRefused(SetFilterOptions(database, mistake.options, form));
    }
  }
  ASSERT_TRUE(SetFilterOptions(database, "hash_seed=7").ok());
  for (const Mistake& mistake : kMistakes) {
    EXPECT_EQ(CountRefusals(database, mistake), 0) << mistake.options;
  }
  database.WriteTable(0, 1000);
  for (const Mistake& mistake : kMistakes) {
    EXPECT_EQ(CountRefusals(database, mistake), 1) << mistake.options;
  }
  EXPECT_EQ(CountInLog(database, {kUsedInstead, "hash_seed=7"}),
            static_cast<int>(std::size(kMistakes)));
}

// The database opens again with what it had before the mistake.
TEST(RefusedOptionsTest, DoNotKeepTheDatabaseFromOpening) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  ExpectRefused(SetFilterOptions(database, "bits_per_key=1000"));
  database.WriteTable(0, 1000);
  // Without what belongs to the open database, such as its LOG.
  const rocksdb::ColumnFamilyOptions options = database->GetOptions();
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  ASSERT_TRUE(
      rocksdb::LoadLatestOptions({}, database.path(), &db_options, &families)
          .ok());
  database.Reopen(rocksdb::Options(rocksdb::DBOptions(), options));
  ExpectInForce(&database);
  database.Reopen(rocksdb::Options(db_options, families[0].options));
  ExpectInForce(&database);
}

// A policy that names all of its options takes none from the one in force.
TEST(RefusedOptionsTest, ANameWithoutMistakesReplacesThePolicy) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  const Status status =
      database->SetOptions({{"table_factory.filter_policy", "oneline:12"}});
  if (!kSetOptionsDropsErrors) {
    EXPECT_TRUE(status.IsInvalidArgument());  // another id
    return;
  }
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(PolicyTextOf(database),
            PolicyNamed("oneline:12")->ToString(rocksdb::ConfigOptions()));
  EXPECT_EQ(CountInLog(database, {kUsedInstead}), 0);
  // RocksDB's own policies and none, and back.
  for (const char* name : {"bloomfilter:12:false", "nullptr"}) {
    ASSERT_TRUE(
        database
            ->SetOptions({{"block_based_table_factory",
                           std::string("{filter_policy=") + name + "}"}})
            .ok());
    const PolicyPtr policy = PolicyOf(database);
    EXPECT_EQ(policy == nullptr ? "nullptr" : policy->GetId(), name);
    ASSERT_TRUE(
        database
            ->SetOptions({{"block_based_table_factory",
                           "{filter_policy={id=oneline;fp_rate=0.01}}"}})
            .ok());
    EXPECT_EQ(PolicyTextOf(database), PolicyNamed("{id=oneline;fp_rate=0.01}")
                                          ->ToString(rocksdb::ConfigOptions()));
  }
}

// From 9.8 on this makes a new table factory; before, it changes the old one.
TEST(RefusedOptionsTest, ANewTableFactoryHasAPolicyWithoutItsId) {
  for (const char* text :
       {"bits_per_key=12", "fp_rate=0.01", "effort=4;bits_per_key=12"}) {
    SCOPED_TRACE(text);
    const std::string options = text;
    ScratchDatabase database(OptionsWith(PolicyNamed("oneline:10")));
    const Status status = database->SetOptions(
        {{"table_factory",
          "{id=BlockBasedTable;filter_policy={" + options + "}}"}});
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(PolicyTextOf(database),
              PolicyNamed("{id=oneline;" + options + "}")
                  ->ToString(rocksdb::ConfigOptions()));
    database.WriteTable(0, 1000);
    EXPECT_EQ(database.PolicyNames(), Kinds{"oneline"});
  }
}

TEST(RefusedOptionsTest, ACreatedColumnFamilySaysWhatItUses) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  rocksdb::ColumnFamilyOptions options;
  ASSERT_TRUE(rocksdb::GetColumnFamilyOptionsFromString(
                  rocksdb::ConfigOptions(), {},
                  "block_based_table_factory={filter_policy=oneline:1000}",
                  &options)
                  .ok());
  rocksdb::ColumnFamilyHandle* family = nullptr;
  Status status = database->CreateColumnFamily(options, "wrong", &family);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_TRUE(database->Put({}, family, "key", "value").ok());
  status = database->Flush({}, family);
  if (!kSetOptionsDropsErrors) {
    EXPECT_NE(status.ToString().find("1 to 100"), std::string::npos);
  } else {
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(CountInLog(database, {"[wrong] oneline: bits_per_key=1000",
                                    kUsedInstead, "bits_per_key=10;"}),
              1);
    ASSERT_TRUE(database->Put({}, family, "key", "value").ok());
    EXPECT_TRUE(database->Flush({}, family).ok());
    EXPECT_EQ(CountInLog(database, {kUsedInstead}), 1);
  }
  ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
}

// Options as text for another database, on top of those of an open one. Its
// policy is another, and DB::Open finds the mistakes in it.
TEST(RefusedOptionsTest, AnotherDatabaseHasAPolicyOfItsOwn) {
  ScratchDatabase first(OptionsWith(PolicyNamed(kInForce)));
  const auto with = [&](const std::string& policy) {
    rocksdb::ColumnFamilyOptions options;
    EXPECT_TRUE(rocksdb::GetColumnFamilyOptionsFromString(
                    rocksdb::ConfigOptions(), first->GetOptions(),
                    "block_based_table_factory={filter_policy=" + policy + "}",
                    &options)
                    .ok());
    rocksdb::Options all(rocksdb::DBOptions(), options);
    all.create_if_missing = true;
    return all;
  };
  ScratchDatabase second(with("{fp_rate=0.01}"));
  EXPECT_EQ(PolicyTextOf(second),
            PolicyNamed("{id=oneline;kind=bloom;fp_rate=0.01;effort=2;"
                        "allocation=uniform}")
                ->ToString(rocksdb::ConfigOptions()));
  for (const Mistake& mistake : kMistakes) {
    const Status status =
        second.TryReopen(with("{" + std::string(mistake.options) + "}"));
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    EXPECT_NE(status.ToString().find(mistake.error[0]), std::string::npos)
        << status.ToString();
  }
  EXPECT_TRUE(second.TryReopen(with("oneline:1000")).IsInvalidArgument());
  ExpectInForce(&first);
  EXPECT_EQ(CountInLog(first, {kUsedInstead}), 0);
}

// Each thread sets the options of a database of its own, some of them wrong,
// and always finds them.
TEST(RefusedOptionsTest, DatabasesDoNotMixTheirOptions) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const std::string seed = std::to_string(t);
      ScratchDatabase database(
          OptionsWith(PolicyNamed("{id=oneline;hash_seed=" + seed + "}")));
      for (int i = 0; i < 25; ++i) {
        const std::string bits = std::to_string(10 * (t + 1) + i % 10);
        const Form form = i % 3 == 0 ? Form::kDotted : Form::kWhole;
        EXPECT_TRUE(
            SetFilterOptions(database, "bits_per_key=" + bits, form).ok());
        ExpectRefused(SetFilterOptions(database, "effort=3", form));
        EXPECT_EQ(PolicyTextOf(database),
                  PolicyNamed("{id=oneline;hash_seed=" + seed +
                              ";bits_per_key=" + bits + "}")
                      ->ToString(rocksdb::ConfigOptions()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// What a program asks a policy between two calls of RocksDB's.
TEST(RefusedOptionsTest, AQuestionToThePolicyHasNoEffect) {
  ScratchDatabase database(OptionsWith(PolicyNamed(kInForce)));
  const PolicyPtr policy = PolicyOf(database);
  const std::string before = PolicyTextOf(database);
  EXPECT_TRUE(policy->IsInstanceOf("oneline"));
  EXPECT_FALSE(policy->IsInstanceOf("oneline:12"));
  EXPECT_FALSE(policy->IsInstanceOf("bloomfilter"));
  EXPECT_TRUE(policy->IsInstanceOf("oneline"));
  EXPECT_EQ(policy->ToString(rocksdb::ConfigOptions()), before);
  EXPECT_TRUE(policy->IsInstanceOf("oneline"));
  std::string options;
  ASSERT_TRUE(policy->GetOptionString(rocksdb::ConfigOptions(), &options).ok());
  EXPECT_NE(options.find("kind=bloom"), std::string::npos) << options;
  EXPECT_EQ(PolicyNamed("oneline")->ToString(rocksdb::ConfigOptions()),
            PolicyNamed("{id=oneline}")->ToString(rocksdb::ConfigOptions()));
  EXPECT_TRUE(policy->IsInstanceOf("oneline"));
  EXPECT_NE(PolicyNamed("oneline")->ToString(rocksdb::ConfigOptions()), before);
  EXPECT_TRUE(policy->IsInstanceOf("oneline"));
  ASSERT_TRUE(database->SetOptions({{"write_buffer_size", "1000000"}}).ok());
  ExpectInForce(&database);
}

}  // namespace
}  // namespace oneline
