// Tests of membership/urls/url_frontier.h, and of what both stores promise.

#include "membership/urls/url_frontier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "membership/urls/approximate_url_store.h"
#include "membership/urls/exact_url_store.h"
#include "tests/temporary_directory.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

enum class Store { kApproximate, kExact };

class UrlFrontierTest : public testing::TestWithParam<Store> {
 protected:
  // Continues with what the last one at this path has seen.
  std::unique_ptr<UrlStore> MakeStore(bool keep_queue = true) {
    if (GetParam() == Store::kApproximate) {
      ApproximateUrlStoreOptions options;
      options.capacity = 100000;
      options.fp_rate = 1e-9;
      options.keep_queue = keep_queue;
      options.save_path = directory_.File("seen");
      return *ApproximateUrlStore::Open(options);
    }
    ExactUrlStoreOptions options;
    options.path = directory_.File("urls");
    options.keep_queue = keep_queue;
    return *ExactUrlStore::Open(options);
  }

  const TemporaryDirectory directory_;
};

// Compared with a std::set and a std::deque over several runs, with short and
// long URLs that repeat within calls and between them. Only the exact store
// keeps the queue between runs; some runs empty it.
TEST_P(UrlFrontierTest, AgreesWithASetAndAQueue) {
  std::mt19937_64 random = TestRandom();
  std::set<std::string> seen;
  std::deque<std::string> queue;
  for (int run = 0; run < 5; ++run) {
    UrlFrontier frontier(MakeStore(), 100000, nullptr);
    if (GetParam() == Store::kApproximate) queue.clear();
    for (int call = 0; call < 50; ++call) {
      // Some calls large enough for two threads, some empty.
      std::vector<std::string> urls(random() % (call % 10 == 0 ? 1500 : 100));
      if (call == 5) urls.clear();
      for (std::string& url : urls) {
        const uint64_t number = random() % 10000;
        // URLs of a length differ only at their end.
        url = std::string(number % 70, 'x') + std::to_string(number);
      }
      const std::vector<std::string_view> views(urls.begin(), urls.end());
      const auto is_new = std::make_unique<bool[]>(urls.size());
      ASSERT_TRUE(frontier.Push(views.data(), views.size(), is_new.get()).ok());
      for (size_t i = 0; i < urls.size(); ++i) {
        ASSERT_EQ(is_new[i], seen.insert(urls[i]).second) << urls[i];
        if (is_new[i]) queue.push_back(urls[i]);
      }
      for (uint64_t n = random() % 30; n > 0 && !queue.empty(); --n) {
        ASSERT_EQ(*frontier.Pop(), queue.front());
        // What was visited stays seen.
        EXPECT_FALSE(*frontier.Push(queue.front()));
        queue.pop_front();
      }
    }
    EXPECT_EQ(frontier.Size(), queue.size());
    if (run % 2 == 1) {
      for (; !queue.empty(); queue.pop_front()) {
        ASSERT_EQ(*frontier.Pop(), queue.front());
      }
      EXPECT_EQ(*frontier.Pop(), std::nullopt);
    }
    // The approximate store estimates what an earlier run has seen.
    EXPECT_NEAR(frontier.NumSeen(), seen.size(),
                GetParam() == Store::kExact || run == 0 ? 0 : 100);
    EXPECT_TRUE(frontier.Sync().ok());
  }
}

TEST_P(UrlFrontierTest, QueuesNothingWithoutAQueue) {
  UrlFrontier frontier(MakeStore(/*keep_queue=*/false), 100, nullptr);
  EXPECT_TRUE(*frontier.Push("http://a/"));
  EXPECT_FALSE(*frontier.Push("http://a/"));
  EXPECT_EQ(frontier.Size(), 0u);
  EXPECT_EQ(*frontier.Pop(), std::nullopt);
}

TEST_P(UrlFrontierTest, TakesAnyBytes) {
  UrlFrontier frontier(MakeStore(), 100, nullptr);
  const std::vector<std::string> urls = {"", std::string(1, '\0'), "\xff\xfe",
                                         std::string(10 << 20, 'x'), "format"};
  for (const std::string& url : urls) EXPECT_TRUE(*frontier.Push(url));
  for (const std::string& url : urls) EXPECT_FALSE(*frontier.Push(url));
  for (const std::string& url : urls) EXPECT_TRUE(*frontier.Pop() == url);
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
