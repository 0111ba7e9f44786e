// Tests that fp_rate costs no search where RocksDB makes policies: it makes one
// for each column family whenever it writes or checks an OPTIONS file, with its
// mutex locked. The work of a search would be mathematics, whose functions are
// counted here.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/options_util.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "filter_policy/options/tree_bits.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/is_ok.h"
#include "tools/models/kind_model.h"

namespace {

std::atomic<uint64_t> g_calls{0};

// The function of the C library that the one below hides.
template <typename Function>
Function* Hidden(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" double exp(double x) noexcept {
  static auto* const hidden = Hidden<double(double)>("exp");
  ++g_calls;
  return hidden(x);
}

extern "C" double pow(double x, double y) noexcept {
  static auto* const hidden = Hidden<double(double, double)>("pow");
  ++g_calls;
  return hidden(x, y);
}

extern "C" double lgamma_r(double x, int* sign) noexcept {
  static auto* const hidden = Hidden<double(double, int*)>("lgamma_r");
  ++g_calls;
  return hidden(x, sign);
}

namespace oneline {
namespace {

constexpr int kFamilies = 40;
constexpr char kByRate[] =
    "{id=oneline;fp_rate=0.001;bloom_before_level=1;bits_by_level=false}";

// The calls of functions of mathematics that `act` makes.
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

PolicyPtr ByRate() { return PolicyNamed(kByRate); }

// Families are created, an option of RocksDB's and the rate itself are set, and
// the OPTIONS file is loaded again.
TEST(FpRateTest, NoCallSearches) {
  ScratchDatabase database(OptionsWith(ByRate()));
  const rocksdb::Options options = OptionsWith(ByRate());
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

// The bits for the rate, of both kinds: what is looked up is used.
TEST(FpRateTest, TablesHaveTheBitsForTheRate) {
  ScratchDatabase database(OptionsWith(ByRate()), 40000);  // level 0: Bloom
  FilterOptions options;
  options.fp_rate = 0.001;
  EXPECT_NEAR(database.FilterBitsPerKey(),
              AskedBitsPerKey(options, Kind::kBloom), 0.1);
  ExpectFiltered(database, 0, 4000);
}

}  // namespace
}  // namespace oneline
