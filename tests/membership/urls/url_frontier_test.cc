// Tests of membership/urls/url_frontier.h: what both frontiers promise.

#include "membership/urls/url_frontier.h"

#include <deque>

#include "tests/testing.h"

namespace oneline {
namespace {

class UrlFrontierTest : public testing::TestWithParam<bool> {
 protected:
  bool exact() const { return GetParam(); }

  // Continues with what the last one has seen.
  std::unique_ptr<UrlFrontier> Open() {
    if (!exact()) {
      ApproximateFrontierOptions options;
      options.capacity = 100000;
      options.fp_rate = 1e-9;
      options.save_path = directory_.File("seen");
      return *OpenApproximateFrontier(options);
    }
    ExactFrontierOptions options;
    options.path = directory_.File("urls");
    return *OpenExactFrontier(options);
  }

  const TemporaryDirectory directory_;
};

// Compared with a std::set and a std::deque over several runs, with short and
// long URLs that repeat within calls and between them. Only the exact frontier
// keeps the queue between runs; some runs empty it.
TEST_P(UrlFrontierTest, AgreesWithASetAndAQueue) {
  std::mt19937_64 random = TestRandom();
  std::set<std::string> seen;
  std::deque<std::string> queue;
  for (int run = 0; run < 5; ++run) {
    const auto frontier = Open();
    if (!exact()) queue.clear();
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
      ASSERT_TRUE(
          frontier->Push(views.data(), views.size(), is_new.get()).ok());
      for (size_t i = 0; i < urls.size(); ++i) {
        ASSERT_EQ(is_new[i], seen.insert(urls[i]).second) << urls[i];
        if (is_new[i]) queue.push_back(urls[i]);
      }
      for (uint64_t n = random() % 30; n > 0 && !queue.empty(); --n) {
        ASSERT_EQ(*frontier->Pop(), queue.front());
        // What was visited stays seen.
        EXPECT_FALSE(*frontier->Push(queue.front()));
        queue.pop_front();
      }
    }
    EXPECT_EQ(frontier->Size(), queue.size());
    for (; run % 2 == 1 && !queue.empty(); queue.pop_front()) {
      ASSERT_EQ(*frontier->Pop(), queue.front());
    }
    EXPECT_EQ(*frontier->Pop() == std::nullopt, queue.empty());
    if (!queue.empty()) queue.pop_front();
    // The approximate one estimates what an earlier run has seen.
    EXPECT_NEAR(frontier->NumSeen(), seen.size(),
                exact() || run == 0 ? 0 : 100);
    EXPECT_TRUE(frontier->Sync().ok());
  }
}

// `write` comes before the frontier remembers, and decides what is remembered.
TEST_P(UrlFrontierTest, WhatIsNotWrittenIsNotRemembered) {
  const std::string_view urls[] = {"1", "2", "3"};
  bool is_new[3];
  auto frontier = Open();
  ASSERT_TRUE(*frontier->Push("1"));
  ASSERT_TRUE(frontier->Sync().ok());
  const absl::Status failed = frontier->Push(urls, 3, is_new, [&] {
    EXPECT_TRUE(!is_new[0] && is_new[1] && is_new[2]);
    return absl::DataLossError("not written");
  });
  EXPECT_EQ(failed.message(), "not written");
  EXPECT_EQ(frontier->NumSeen(), 1u);
  if (!exact()) {
    // Its filter has them, and must not be saved.
    EXPECT_TRUE(absl::IsFailedPrecondition(frontier->Sync()));
    frontier.reset();
    frontier = Open();
    EXPECT_FALSE(*frontier->Push("1"));
  }
  EXPECT_TRUE(frontier
                  ->Push(urls, 3, is_new,
                         [&] {
                           is_new[1] = false;
                           return absl::OkStatus();
                         })
                  .ok());
  EXPECT_EQ(frontier->NumSeen(), 2u);
  EXPECT_EQ(frontier->Sync().ok(), exact());
  frontier.reset();
  frontier = Open();
  EXPECT_TRUE(*frontier->Push("2"));
  EXPECT_EQ(*frontier->Push("3"), !exact());
}

TEST_P(UrlFrontierTest, TakesAnyBytes) {
  const auto frontier = Open();
  const std::vector<std::string> urls = {"", std::string(1, '\0'), "\xff\xfe",
                                         std::string(10 << 20, 'x'), "format"};
  for (const std::string& url : urls) EXPECT_TRUE(*frontier->Push(url));
  for (const std::string& url : urls) EXPECT_FALSE(*frontier->Push(url));
  for (const std::string& url : urls) EXPECT_TRUE(*frontier->Pop() == url);
}

TEST_P(UrlFrontierTest, WarnsOncePastTheExpectedNumber) {
  int warnings = 0;
  const auto frontier = Open();
  frontier->WarnPast(3, [&](uint64_t seen) {
    ++warnings;
    EXPECT_EQ(seen, 4u);
    EXPECT_EQ(frontier->Size(), 4u);  // It may call the frontier.
  });
  for (const char* url : {"1", "2", "3", "3", "2", "1"}) {
    EXPECT_TRUE(frontier->Push(url).ok());
  }
  EXPECT_EQ(warnings, 0);
  EXPECT_TRUE(*frontier->Push("4"));
  EXPECT_EQ(warnings, 1);
  EXPECT_TRUE(*frontier->Push("5"));
  EXPECT_EQ(warnings, 1);
}

// Threads push links and visit URLs: each URL is new to exactly one thread and
// is visited once.
TEST_P(UrlFrontierTest, ThreadsShareIt) {
  const auto frontier = Open();
  constexpr int kUrls = 2000;
  std::atomic<int> new_urls{0};
  std::vector<std::atomic<int>> visits(kUrls);
  const auto visit_one = [&] {
    const std::optional<std::string> url = *frontier->Pop();
    if (url) ++visits[std::stoi(*url)];
    return url.has_value();
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < kUrls; ++i) {
        new_urls += *frontier->Push(std::to_string(i));
        if (i % 2 == 1) visit_one();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(new_urls, kUrls);
  while (visit_one()) continue;
  for (int i = 0; i < kUrls; ++i) ASSERT_EQ(visits[i], 1) << i;
}

INSTANTIATE_TEST_SUITE_P(Both, UrlFrontierTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& exact) {
                           return exact.param ? "Exact" : "Approximate";
                         });

}  // namespace
}  // namespace oneline
