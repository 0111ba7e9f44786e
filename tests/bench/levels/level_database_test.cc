// Tests of bench/levels/level_database.h: the copy differs only in its filters,
// and there are as many false positives as the model expects.

#include "bench/levels/level_database.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr uint64_t kKeys = 200000;
constexpr uint64_t kLookups = 40000;

FilterOptions Filter(Allocation allocation) {
  FilterOptions filter;
  filter.allocation = allocation;
  filter.bits_per_key = 5;
  filter.hash_seed = 1;
  return filter;
}

TEST(LevelDatabaseTest, RandomKeysDoNotRepeat) {
  std::set<std::string> keys;
  for (uint64_t i = 0; i < 100000; ++i) keys.insert(RandomKey(i));
  EXPECT_EQ(keys.size(), 100000u);
  for (const std::string& key : keys) ASSERT_EQ(key.size(), 8u);
}

void ExpectAsTheModelSays(LevelDatabase* database, Progress* progress,
                          size_t family = 0) {
  const auto counted =
      database->LookUpAbsent(kKeys, kLookups, progress, family);
  ASSERT_TRUE(counted.ok()) << counted.status();
  const auto levels = database->Levels(family);
  ASSERT_TRUE(levels.ok()) << levels.status();
  for (const auto& [level, tables] : *levels) {
    const auto found = counted->find(level);
    const uint64_t count = found == counted->end() ? 0 : found->second;
    const double expected = tables.expected * kLookups;
    EXPECT_NEAR(static_cast<double>(count), expected,
                0.1 * expected + 5 * std::sqrt(expected) + 5)
        << "level " << level;
  }
}

TEST(LevelDatabaseTest, TheCopyDiffersOnlyInItsFilters) {
  const TemporaryDirectory directory;
  Progress progress(stderr);
  LevelDatabase monkey(directory.File("monkey"), Filter(Allocation::kMonkey),
                       {{4}});
  LevelDatabase uniform(directory.File("uniform"), Filter(Allocation::kUniform),
                        {{4}});
  absl::Status status = monkey.Load(kKeys, &progress);
  ASSERT_TRUE(status.ok()) << status;
  status = monkey.CopyTo(&uniform, &progress);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(monkey.GetShape(), uniform.GetShape());

  const auto of_monkey = monkey.Levels();
  const auto of_uniform = uniform.Levels();
  ASSERT_TRUE(of_monkey.ok() && of_uniform.ok());
  ASSERT_GE(of_monkey->size(), 2u);
  EXPECT_EQ(of_monkey->at(0).tables, 4);
  uint64_t keys = 0;
  for (const auto& [level, tables] : *of_uniform) {
    keys += tables.keys;
    EXPECT_EQ(of_monkey->at(level).keys, tables.keys);
    if (tables.keys > 10000) {
      EXPECT_NEAR(tables.bits_per_key(), 5, 0.2);
    }
  }
  EXPECT_EQ(keys, kKeys);
  EXPECT_GT(of_monkey->at(0).bits_per_key(),
            of_monkey->rbegin()->second.bits_per_key() + 1);

  ExpectAsTheModelSays(&monkey, &progress);
  ExpectAsTheModelSays(&uniform, &progress);
  EXPECT_FALSE(uniform.LookUpAbsent(0, 1, &progress).ok()) << "a key is found";
}

TEST(LevelDatabaseTest, ErrorsAreReported) {
  const TemporaryDirectory directory;
  Progress progress(stderr);
  LevelDatabase nowhere(directory.File("no/such/directory"),
                        Filter(Allocation::kMonkey), {{4}});
  EXPECT_FALSE(nowhere.Load(kKeys, &progress).ok());
  LevelDatabase few(directory.File("few"), Filter(Allocation::kMonkey), {{4}});
  EXPECT_FALSE(few.Load(1000, &progress).ok());
}

// A database of ours and one of RocksDB's Ribbon filters.
TEST(LevelDatabaseTest, ColumnFamiliesGrowWithRestarts) {
  const TemporaryDirectory directory;
  Progress progress(stderr);
  const std::vector<CompactedTree> families = {
      {4, rocksdb::kCompactionStyleUniversal, false},
      {4, rocksdb::kCompactionStyleLevel, true, 4, 3}};
  for (const std::string policy : {"", "ribbonfilter:8:-1"}) {
    LevelDatabase database(directory.File(policy.empty() ? "ours" : "ribbon"),
                           Filter(Allocation::kMonkey), families, policy);
    for (uint64_t last = kKeys / 2; last <= kKeys; last += kKeys / 2) {
      const absl::Status grown =
          database.Grow(last - kKeys / 2, last, &progress);
      ASSERT_TRUE(grown.ok()) << grown;
      for (size_t family = 0; family < families.size(); ++family) {
        SCOPED_TRACE(testing::Message() << policy << " family " << family);
        const double share = static_cast<double>(last * families[family].share);
        ExpectAsTheModelSays(&database, &progress, family);
        const auto levels = database.Levels(family);
        ASSERT_TRUE(levels.ok()) << levels.status();
        double keys = 0, bits = 0;
        for (const auto& [level, tables] : *levels) {
          keys += static_cast<double>(tables.keys);
          bits += 8 * static_cast<double>(tables.filter_bytes);
        }
        // Overwritten and deleted keys are in it until they are compacted.
        EXPECT_GE(keys, share / 4 * 0.94);
        EXPECT_LE(keys, share / 4 * 1.21);
        EXPECT_NEAR(bits / keys, 5, 0.8);
      }
    }
  }
}

TEST(LevelDatabaseTest, AbsentKeysAreReadFromTheDiskAndThenFromTheCache) {
  const TemporaryDirectory directory;
  Progress progress(stderr);
  LevelDatabase database(directory.File("monkey"), Filter(Allocation::kMonkey),
                         {{4}});
  absl::Status status = database.Load(kKeys, &progress);
  ASSERT_TRUE(status.ok()) << status;
  status = database.OpenForReads(kKeys, kKeys / 2, size_t{1} << 30);
  if (absl::StrContains(status.message(), "Direct I/O is not supported")) {
    GTEST_SKIP() << "the file system knows no O_DIRECT, as tmpfs";
  }
  ASSERT_TRUE(status.ok()) << status;
  // The last 40,000 keys are in level 0.
  EXPECT_GE(database.num_hot_keys(), 40000u);
  EXPECT_LT(database.num_hot_keys(), kKeys / 2);
  for (const bool is_first : {true, false}) {
    const auto reads = database.ReadAbsentAndHot(kKeys, 0, kLookups);
    ASSERT_TRUE(reads.ok()) << reads.status();
    EXPECT_EQ(
        reads->of_none.size() + reads->of_cached.size() + reads->of_read.size(),
        kLookups);
    EXPECT_EQ(reads->of_read.empty(), !is_first);
    EXPECT_FALSE(reads->of_cached.empty());
    const auto levels = database.Levels();
    ASSERT_TRUE(levels.ok()) << levels.status();
    const int last = levels->rbegin()->first;
    for (const auto& [level, wasted] : reads->wasted) {
      const double expected = levels->at(level).expected * kLookups;
      EXPECT_NEAR(static_cast<double>(wasted.count), expected,
                  0.1 * expected + 5 * std::sqrt(expected) + 5)
          << "level " << level;
      EXPECT_EQ(wasted.from_files > 0, is_first && level == last)
          << "level " << level;
      EXPECT_LE(wasted.from_files, wasted.count);
    }
  }
}

}  // namespace
}  // namespace oneline
