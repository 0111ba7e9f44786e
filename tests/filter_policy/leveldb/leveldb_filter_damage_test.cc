// What damage to the filters of LevelDB tables on disk can do: with
// paranoid_checks nothing. Without, keys of the damaged filters may be missed,
// as with any filter that has no checksum, but no others. (tests/table/
// short_block has any bytes.)

#include <gtest/gtest.h>
#include <leveldb/options.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "oneline/leveldb_filter_policy.h"
#include "tests/filter_policy/leveldb/scratch_leveldb.h"
#include "tests/run_program.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr int kNumKeys = 600;

std::string KeyOf(int i) { return std::to_string(1000000 + i); }
std::string ValueOf(int i) { return std::to_string(i) + std::string(90, 'v'); }

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  ASSERT_TRUE(file.good()) << path;
}

// A database of one table, whose filter block is damaged again and again.
class LevelDBFilterDamageTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    FilterOptions options;
    options.kind = GetParam();
    options.bits_per_key = 10;
    const CountingPolicy policy(options);
    db_.Open(&policy);
    for (int i = 0; i < kNumKeys; ++i) db_.Put(KeyOf(i), ValueOf(i));
    db_.Compact();
    db_.Close();
    for (const auto& entry : std::filesystem::directory_iterator(db_.path())) {
      if (entry.path().extension() == ".ldb") table_ = entry.path().string();
    }
    ASSERT_FALSE(table_.empty());
    intact_ = ReadWholeFile(table_);
    // LevelDB stores the filters one after the other, uncompressed.
    filters_ = policy.filters();
    std::string all;
    for (const std::string& filter : filters_) all += filter;
    begin_ = intact_.find(all);
    ASSERT_NE(begin_, std::string::npos);
    end_ = begin_ + all.size();
    ASSERT_GT(filters_.size(), 10u);
  }

  // The outcome of looking up every key when the table has these bytes.
  struct Outcome {
    int missed = 0;
    size_t asked = 0;
  };
  Outcome ReadAll(const std::string& table, bool paranoid_checks) {
    WriteFile(table_, table);
    const CountingPolicy policy(FilterOptions{});
    db_.options().paranoid_checks = paranoid_checks;
    db_.Open(&policy);
    Outcome outcome;
    for (int i = 0; i < kNumKeys; ++i) {
      const std::string value = db_.Get(KeyOf(i));
      if (value == "-") {
        ++outcome.missed;
      } else {
        EXPECT_EQ(value, ValueOf(i));
      }
    }
    outcome.asked = policy.asked();
    db_.Close();
    return outcome;
  }

  std::string WithByte(size_t at, int byte) const {
    std::string table = intact_;
    table[at] = static_cast<char>(byte);
    return table;
  }

  ScratchLevelDB db_;
  std::string table_;   // its path
  std::string intact_;  // its bytes
  std::vector<std::string> filters_;
  size_t begin_ = 0, end_ = 0;  // of the filters in it
};

TEST_P(LevelDBFilterDamageTest, IntactFiltersAreAsked) {
  for (const bool paranoid_checks : {false, true}) {
    const Outcome outcome = ReadAll(intact_, paranoid_checks);
    EXPECT_EQ(outcome.missed, 0);
    EXPECT_EQ(outcome.asked, size_t{kNumKeys});
  }
}

// The block's checksum covers the filters, their offsets, and itself.
TEST_P(LevelDBFilterDamageTest, ParanoidChecksLeaveDamagedFiltersOut) {
  std::mt19937_64 random = TestRandom();
  const size_t offsets_bytes = 4 * filters_.size();
  for (int i = 0; i < 20; ++i) {
    const size_t at = begin_ + random() % (end_ - begin_ + offsets_bytes);
    const auto bit = static_cast<int>(1u << random() % 8);
    const Outcome outcome = ReadAll(WithByte(at, intact_[at] ^ bit), true);
    EXPECT_EQ(outcome.missed, 0);
    EXPECT_EQ(outcome.asked, 0u);
  }
}

// At most the keys of one filter are missed, about 40.
TEST_P(LevelDBFilterDamageTest, OneByteConcernsOneFilter) {
  std::mt19937_64 random = TestRandom();
  int missed = 0;
  for (int i = 0; i < 20; ++i) {
    const size_t at = begin_ + random() % (end_ - begin_);
    const Outcome outcome =
        ReadAll(WithByte(at, static_cast<int>(random())), false);
    EXPECT_LE(outcome.missed, 60);
    missed += outcome.missed;
  }
  EXPECT_GT(missed, 0) << "the filters were not used";
}

INSTANTIATE_TEST_SUITE_P(Kinds, LevelDBFilterDamageTest,
                         testing::Values(Kind::kBloom, Kind::kRibbon),
                         [](const auto& kind) {
                           return kind.param == Kind::kBloom ? "bloom"
                                                             : "ribbon";
                         });

}  // namespace
}  // namespace oneline
