// Damage to the filters of LevelDB tables on disk hides no key where LevelDB
// verifies checksums, as docs/leveldb.md asks for. (tests/table/short_block has
// any bytes.)

#include <gtest/gtest.h>
#include <leveldb/options.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

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
class LevelDBFilterDamageTest : public testing::Test {
 protected:
  void SetUp() override {
    const CountingPolicy policy(FilterOptions{});
    db_.options().paranoid_checks = true;
    db_.Open(&policy);
    for (int i = 0; i < kNumKeys; ++i) db_.Put(KeyOf(i), ValueOf(i));
    db_.Compact();
    db_.Close();
    for (const auto& entry : std::filesystem::directory_iterator(db_.path())) {
      if (entry.path().extension() == ".ldb") table_ = entry.path().string();
    }
    ASSERT_FALSE(table_.empty());
    intact_ = ReadWholeFile(table_);
    // LevelDB stores the filters one after the other, uncompressed, and then
    // their offsets.
    std::string all;
    for (const std::string& filter : policy.filters()) all += filter;
    begin_ = intact_.find(all);
    ASSERT_NE(begin_, std::string::npos);
    ASSERT_GT(policy.filters().size(), 10u);
    end_ = begin_ + all.size() + 4 * policy.filters().size();
  }

  // Looks up every key when the table has these bytes. Returns how often
  // LevelDB asks a filter.
  size_t ReadAll(const std::string& table) {
    WriteFile(table_, table);
    const CountingPolicy policy(FilterOptions{});
    db_.Open(&policy);
    for (int i = 0; i < kNumKeys; ++i) {
      EXPECT_EQ(db_.Get(KeyOf(i)), ValueOf(i));
    }
    db_.Close();
    return policy.asked();
  }

  ScratchLevelDB db_;
  std::string table_;           // its path
  std::string intact_;          // its bytes
  size_t begin_ = 0, end_ = 0;  // of the filters and their offsets in it
};

// The block's checksum covers the filters, their offsets, and itself.
TEST_F(LevelDBFilterDamageTest, DamagedFiltersAreLeftOut) {
  EXPECT_EQ(ReadAll(intact_), size_t{kNumKeys});
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i < 20; ++i) {
    std::string table = intact_;
    char& byte = table[begin_ + random() % (end_ - begin_)];
    byte = static_cast<char>(byte ^ 1 << random() % 8);
    EXPECT_EQ(ReadAll(table), 0u);
  }
}

}  // namespace
}  // namespace oneline
