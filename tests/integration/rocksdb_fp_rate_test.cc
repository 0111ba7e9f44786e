// Tests that fp_rate costs no search where RocksDB makes policies: it makes one
// for each column family whenever it writes or checks an OPTIONS file, with its
// mutex locked. A search would compute exponentials, which are counted here.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/options_util.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/is_ok.h"
#include "tools/models/kind_model.h"

namespace {

std::atomic<uint64_t> g_calls{0};

}  // namespace

// In place of the C library's, which it calls.
extern "C" double exp(double x) noexcept {
  static auto* const hidden =
      reinterpret_cast<double (*)(double)>(dlsym(RTLD_NEXT, "exp"));
  ++g_calls;
  return hidden(x);
}

namespace oneline {
namespace {

constexpr int kFamilies = 40;
constexpr char kByRate[] = "{id=oneline;fp_rate=0.001;bloom_before_level=1}";

// The calls of exp that `act` makes.
template <typename Act>
uint64_t CallsIn(Act act) {
  const uint64_t before = g_calls;
  act();
  return g_calls - before;
}

// One for each policy would be allowed; a single rate by the model takes more
// than for all families.
constexpr uint64_t kFewCalls = kFamilies;

TEST(FpRateTest, ASearchWouldBeSeen) {
  for (const char* kind : {"ribbon", "bloom"}) {
    EXPECT_GT(
        CallsIn([&] { EXPECT_LT(ModelledFpRate(*FindKind(kind), 10), 0.01); }),
        kFewCalls)
        << kind;
  }
}

// Families are created, an option of RocksDB's and the rate itself are set, and
// the OPTIONS file is loaded again.
TEST(FpRateTest, NoCallSearches) {
  const rocksdb::Options options = OptionsWith(PolicyNamed(kByRate));
  ScratchDatabase database(options);
  std::vector<rocksdb::ColumnFamilyHandle*> families(kFamilies);
  EXPECT_LE(CallsIn([&] {
              for (int i = 0; i < kFamilies; ++i) {
                ASSERT_TRUE(IsOk(database->CreateColumnFamily(
                    options, "family" + std::to_string(i), &families[i])));
              }
              ASSERT_TRUE(IsOk(database->SetOptions(
                  families[7], {{"level0_file_num_compaction_trigger", "9"}})));
              ASSERT_TRUE(IsOk(SetFilterOptions(database, "fp_rate=0.01",
                                                Form::kWhole, families[7])));
            }),
            kFewCalls);
  EXPECT_NE(PolicyTextOf(database, families[7]).find("fp_rate=0.01"),
            std::string::npos);
  for (auto* family : families) {
    ASSERT_TRUE(IsOk(database->DestroyColumnFamilyHandle(family)));
  }
  database.Close();
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> loaded;
  EXPECT_LE(
      CallsIn([&] {
        ASSERT_TRUE(IsOk(rocksdb::LoadLatestOptions(
            rocksdb::ConfigOptions(), database.path(), &db_options, &loaded)));
      }),
      kFewCalls);
  ASSERT_EQ(loaded.size(), kFamilies + 1u);
  EXPECT_NE(loaded.back().options.table_factory->GetPrintableOptions().find(
                "filter_policy: oneline"),
            std::string::npos);
}

}  // namespace
}  // namespace oneline
