// Tests of membership/urls/url_frontier.h with both stores.

#include "membership/urls/url_frontier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "membership/urls/approximate_url_store.h"
#include "membership/urls/exact_url_store.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

enum class Store { kApproximate, kExact };

class UrlFrontierTest : public testing::TestWithParam<Store> {
 protected:
  std::unique_ptr<UrlStore> MakeStore() {
    if (GetParam() == Store::kApproximate) {
      ApproximateUrlStoreOptions options;
      options.capacity = 100000;
      options.fp_rate = 1e-9;
      return *ApproximateUrlStore::Open(options);
    }
    ExactUrlStoreOptions options;
    options.path = directory_.File("urls");
    return *ExactUrlStore::Open(options);
  }

  const TemporaryDirectory directory_;
};

TEST_P(UrlFrontierTest, QueuesEachUrlOnce) {
  UrlFrontier frontier(MakeStore(), 100, nullptr);
  EXPECT_EQ(*frontier.Pop(), std::nullopt);
  EXPECT_TRUE(*frontier.Push("http://a/"));
  EXPECT_TRUE(*frontier.Push("http://b/"));
  EXPECT_FALSE(*frontier.Push("http://a/"));
  EXPECT_EQ(frontier.Size(), 2u);
  EXPECT_EQ(*frontier.Pop(), "http://a/");
  // URLs that were visited stay seen.
  EXPECT_FALSE(*frontier.Push("http://a/"));
  EXPECT_TRUE(*frontier.Push("http://c/"));
  EXPECT_EQ(*frontier.Pop(), "http://b/");
  EXPECT_EQ(*frontier.Pop(), "http://c/");
  EXPECT_EQ(*frontier.Pop(), std::nullopt);
  EXPECT_EQ(frontier.Size(), 0u);
  EXPECT_EQ(frontier.NumSeen(), 3u);
  EXPECT_TRUE(frontier.Sync().ok());
}

TEST_P(UrlFrontierTest, TakesAnyBytes) {
  UrlFrontier frontier(MakeStore(), 100, nullptr);
  const std::vector<std::string> urls = {"", std::string(1, '\0'), "\xff\xfe",
                                         std::string(10 << 20, 'x'), "format"};
  for (const std::string& url : urls) EXPECT_TRUE(*frontier.Push(url));
  for (const std::string& url : urls) EXPECT_FALSE(*frontier.Push(url));
  for (const std::string& url : urls) EXPECT_TRUE(*frontier.Pop() == url);
}

TEST_P(UrlFrontierTest, ManyAtOnceAreTheSameAsOneByOne) {
  UrlFrontier frontier(MakeStore(), 100, nullptr);
  EXPECT_TRUE(*frontier.Push("2"));
  const std::vector<std::string_view> urls = {"1", "2", "3", "1", "3", "4"};
  bool is_new[6];
  ASSERT_TRUE(frontier.Push(urls.data(), urls.size(), is_new).ok());
  const bool expected[6] = {true, false, true, false, false, true};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(is_new[i], expected[i]) << i;
  for (const char* url : {"2", "1", "3", "4"}) EXPECT_EQ(*frontier.Pop(), url);
  EXPECT_EQ(*frontier.Pop(), std::nullopt);
  ASSERT_TRUE(frontier.Push(urls.data(), 0, is_new).ok());
}

TEST_P(UrlFrontierTest, WarnsOncePastTheExpectedNumber) {
  int warnings = 0;
  UrlFrontier* self = nullptr;
  UrlFrontier frontier(MakeStore(), 3, [&](uint64_t seen, uint64_t expected) {
    ++warnings;
    EXPECT_EQ(seen, 4u);
    EXPECT_EQ(expected, 3u);
    EXPECT_EQ(self->Size(), 4u);  // It may call the frontier.
  });
  self = &frontier;
  for (const char* url : {"1", "2", "3", "3", "2", "1"}) {
    EXPECT_TRUE(frontier.Push(url).ok());
  }
  EXPECT_EQ(warnings, 0);
  EXPECT_TRUE(*frontier.Push("4"));
  EXPECT_EQ(warnings, 1);
  EXPECT_TRUE(*frontier.Push("5"));
  EXPECT_EQ(warnings, 1);
}

// Threads push links and visit URLs: each URL is new to exactly one thread and
// is visited once.
TEST_P(UrlFrontierTest, ThreadsShareIt) {
  UrlFrontier frontier(MakeStore(), 100000, nullptr);
  constexpr int kUrls = 2000;
  std::atomic<int> new_urls{0}, popped{0};
  std::vector<std::atomic<int>> visits(kUrls);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < kUrls; ++i) {
        new_urls += *frontier.Push(std::to_string(i));
        if (i % 2 == 0) continue;
        const std::optional<std::string> url = *frontier.Pop();
        if (!url) continue;
        ++popped;
        ++visits[std::stoi(*url)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(new_urls, kUrls);
  EXPECT_EQ(popped + frontier.Size(), static_cast<uint64_t>(kUrls));
  while (const std::optional<std::string> url = *frontier.Pop()) {
    ++visits[std::stoi(*url)];
  }
  for (int i = 0; i < kUrls; ++i) ASSERT_EQ(visits[i], 1) << i;
}

INSTANTIATE_TEST_SUITE_P(BothStores, UrlFrontierTest,
                         testing::Values(Store::kApproximate, Store::kExact),
                         [](const testing::TestParamInfo<Store>& store) {
                           return store.param == Store::kExact ? "Exact"
                                                               : "Approximate";
                         });

}  // namespace
}  // namespace oneline
