// Tests of table/hash/hash_list.h. That a HashPartition keeps every hash and
// puts it in its part: tests/table/ribbon/blocked_ribbon_test.cc.

#include "table/hash/hash_list.h"

#include "tests/testing.h"

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

}  // namespace
}  // namespace oneline
