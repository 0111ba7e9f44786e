// Tests of table/hash/hash_list.h and hash_partition.h.

#include "table/hash/hash_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "table/hash/hash_partition.h"
#include "table/hash/key_hash.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// Around the ends of the list's chunks of 8192 hashes.
constexpr size_t kSizes[] = {0, 1, 2, 8191, 8192, 8193, 16384, 16385, 50000};

uint64_t HashAt(size_t i) { return i * 0x9e3779b97f4a7c15u + 1; }

void ExpectHashes(size_t n, const HashList& list) {
  EXPECT_EQ(list.size(), n);
  EXPECT_EQ(list.empty(), n == 0);
  std::vector<uint64_t> visited;
  list.ForEach([&](uint64_t hash) { visited.push_back(hash); });
  ASSERT_EQ(visited.size(), n);
  for (size_t i = 0; i < n; ++i) {
    ASSERT_EQ(list[i], HashAt(i)) << i;
    ASSERT_EQ(visited[i], HashAt(i)) << i;
  }
}

TEST(HashListTest, KeepsHashesInOrderAndBeginsAnewAfterClear) {
  HashList list;
  ExpectHashes(0, list);
  list.Clear();
  for (size_t before : kSizes) {
    for (size_t after : kSizes) {
      SCOPED_TRACE(testing::Message() << before << " then " << after);
      for (size_t i = 0; i < before; ++i) list.Append(~HashAt(i));
      list.Clear();
      ExpectHashes(0, list);
      for (size_t i = 0; i < after; ++i) {
        list.Append(HashAt(i));
        ASSERT_EQ(list.back(), HashAt(i));
      }
      ExpectHashes(after, list);
      list.Clear();
    }
  }
}

std::vector<uint64_t> InOrder(const HashList& hashes) {
  std::vector<uint64_t> all;
  hashes.ForEach([&](uint64_t hash) { all.push_back(hash); });
  return all;
}

// Of the same hashes the same, in any order.
uint64_t Sum(const HashList& hashes) {
  uint64_t sum = 0;
  hashes.ForEach([&](uint64_t hash) { sum += (hash ^ hash >> 29) * hash; });
  return sum;
}

// Holds a partition of the whole list, then of one part, which leaves the
// others alone, to what the header says.
void Check(HashList* hashes, uint32_t num_lines, size_t wanted_parts) {
  SCOPED_TRACE(testing::Message() << hashes->size() << " hashes, " << num_lines
                                  << " lines, " << wanted_parts << " parts");
  const uint64_t before = Sum(*hashes);
  const HashPartition partition(
      *hashes, num_lines, {0, hashes->size(), 0, num_lines}, wanted_parts);
  ASSERT_EQ(before, Sum(*hashes));
  ASSERT_GE(partition.num_parts(), 2u);
  ASSERT_LE(partition.num_parts(),
            std::min<size_t>(wanted_parts, HashPartition::kMaxParts));
  size_t next_hash = 0;
  uint32_t next_line = 0;
  for (uint32_t i = 0; i < partition.num_parts(); ++i) {
    const HashRange part = partition.part(i);
    ASSERT_EQ(part.begin, next_hash);
    ASSERT_EQ(part.first_line, next_line);
    ASSERT_GT(part.num_lines(), 0u);
    size_t elsewhere = 0;
    for (size_t h = part.begin; h < part.end; ++h) {
      const uint32_t line = LineIndex((*hashes)[h], num_lines);
      elsewhere += line < part.first_line || line >= part.end_line ? 1 : 0;
    }
    ASSERT_EQ(elsewhere, 0u);
    next_hash = part.end;
    next_line = part.end_line;
  }
  ASSERT_EQ(next_hash, hashes->size());
  ASSERT_EQ(next_line, num_lines);

  const HashRange range = partition.part(0);
  if (range.num_lines() < 2) return;
  const std::vector<uint64_t> whole = InOrder(*hashes);
  const HashPartition inner(*hashes, num_lines, range, wanted_parts);
  const HashRange end = inner.part(inner.num_parts() - 1);
  ASSERT_EQ(end.end, range.end);
  ASSERT_EQ(end.end_line, range.end_line);
  const std::vector<uint64_t> after = InOrder(*hashes);
  const auto rest = static_cast<std::ptrdiff_t>(range.end);
  ASSERT_EQ(before, Sum(*hashes));
  ASSERT_TRUE(
      std::equal(whole.begin() + rest, whole.end(), after.begin() + rest));
}

TEST(HashPartition, KeepsEveryHashAndPutsItInItsPart) {
  std::mt19937_64 random = TestRandom();
  for (const size_t size : {0, 1, 2, 100, 8191, 8192, 8193, 20000}) {
    for (const uint32_t num_lines : {2u, 3u, 255u, 256u, 257u, 5000u}) {
      for (const size_t wanted : {2, 3, 100, 256, 100000}) {
        HashList hashes;
        for (size_t i = 0; i < size; ++i) hashes.Append(random());
        Check(&hashes, num_lines, wanted);
      }
    }
  }
}

TEST(HashPartition, AllHashesInOnePart) {
  std::mt19937_64 random = TestRandom();
  for (const uint64_t top : {uint64_t{0}, ~uint64_t{0} << 40}) {
    HashList hashes, equal;
    for (int i = 0; i < 20000; ++i) {
      hashes.Append(top | random() >> 24);
      equal.Append(top);
    }
    Check(&hashes, 1000, 256);
    Check(&equal, 1000, 16);
  }
}

}  // namespace
}  // namespace oneline
