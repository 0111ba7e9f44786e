#include "tools/sst/key_list.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/test_seed.h"

namespace oneline {
namespace {

std::vector<std::string> KeysOf(const KeyList& list) {
  std::vector<std::string> keys;
  list.ForEach([&](std::string_view key) {
    keys.emplace_back(key);
    return true;
  });
  return keys;
}

TEST(KeyListTest, HasEachKeyOnce) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < 100; ++round) {
    KeyList list(1 << 25);
    std::vector<std::string> keys;
    for (uint64_t n = random() % 3000; n > 0; --n) {
      std::string key = keys.empty() ? "" : keys.back();
      if (random() % 4 > 0) {
        key.resize(random() % (key.size() + 1));
        key.append(random() % (random() % 100 == 0 ? 70000 : 20),
                   static_cast<char>(random()));
      }
      list.Append(key);
      if (keys.empty() || key != keys.back()) keys.push_back(key);
    }
    ASSERT_TRUE(list.is_complete());
    EXPECT_EQ(KeysOf(list), keys);
  }
}

// The first key may be empty, and large ones have chunks of their own.
TEST(KeyListTest, OddKeys) {
  const std::vector<std::string> keys = {"", std::string(3 << 20, 'x'), "",
                                         "y"};
  KeyList list(1 << 25);
  for (const std::string& key : keys) list.Append(key);
  EXPECT_EQ(KeysOf(list), keys);
}

TEST(KeyListTest, ForgetsAllIfThereAreTooMany) {
  KeyList list(2 << 20);
  for (int i = 0; i < 100; ++i) list.Append(std::to_string(i));
  EXPECT_TRUE(list.is_complete());
  for (int i = 0; i < 300; ++i) list.Append(std::string(10000 + i % 2, 'x'));
  EXPECT_TRUE(list.is_complete());
  for (int i = 0; i < 300; ++i) list.Append(std::string(10000, 'x' + i % 2));
  EXPECT_FALSE(list.is_complete());
}

TEST(KeyListTest, StopsWhenTold) {
  KeyList list(1 << 25);
  for (int i = 0; i < 100; ++i) list.Append(std::to_string(i));
  int visited = 0;
  list.ForEach([&](std::string_view) { return ++visited < 7; });
  EXPECT_EQ(visited, 7);
}

}  // namespace
}  // namespace oneline
