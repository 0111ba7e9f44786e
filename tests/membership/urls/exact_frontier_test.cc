// Tests of membership/urls/exact_frontier.cc against real databases: nothing is
// lost between runs or when the program is killed, and new URLs cost hardly any
// reads. What both frontiers have in common is tested in
// tests/membership/urls/url_frontier_test.cc.

#include <fcntl.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>
#include <signal.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "membership/urls/exact_options.h"
#include "membership/urls/url_digest.h"
#include "membership/urls/url_frontier.h"
#include "tests/testing.h"

namespace oneline {
namespace {

std::string Url(uint64_t i) {
  return "http://example.com/" + std::to_string(i);
}

class ExactFrontierTest : public testing::Test {
 protected:
  ExactFrontierTest() { options_.path = directory_.File("urls"); }

  std::unique_ptr<UrlFrontier> Open() {
    auto frontier = OpenExactFrontier(options_);
    EXPECT_TRUE(frontier.ok()) << frontier.status();
    return frontier.ok() ? *std::move(frontier) : nullptr;
  }

  static absl::Status Push(UrlFrontier& frontier,
                           const std::vector<std::string>& urls,
                           uint64_t* num_new) {
    const std::vector<std::string_view> views(urls.begin(), urls.end());
    const auto is_new = std::make_unique<bool[]>(urls.size());
    const absl::Status status =
        frontier.Push(views.data(), views.size(), is_new.get());
    *num_new += std::count(is_new.get(), is_new.get() + urls.size(), true);
    return status;
  }

  // Pushes Url(first) to Url(last - 1). Returns how many were new.
  static uint64_t Push(UrlFrontier& frontier, uint64_t first, uint64_t last) {
    constexpr uint64_t kBatch = 1000;
    uint64_t num_new = 0;
    for (; first < last; first += kBatch) {
      std::vector<std::string> urls;
      for (uint64_t i = first; i < std::min(last, first + kBatch); ++i) {
        urls.push_back(Url(i));
      }
      EXPECT_TRUE(Push(frontier, urls, &num_new).ok());
    }
    return num_new;
  }

  // Writes all that is in logs into files, and those into as few as possible.
  // REQUIRES: the frontier is not open.
  void Compact() const {
    const UrlDatabaseOptions options =
        OptionsWithin(options_.memory_bytes, nullptr);
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    std::unique_ptr<rocksdb::DB> db;
    ASSERT_TRUE(rocksdb::DB::Open(options.database, options_.path,
                                  {{"default", options.others},
                                   {"seen", options.seen},
                                   {"queue", options.others}},
                                  &handles, OpenInto(&db))
                    .ok());
    for (rocksdb::ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->CompactRange({}, handle, nullptr, nullptr).ok());
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
  }

  // A database with one entry, if it has a key.
  void MakeForeign(const std::string& key, const std::string& value) const {
    rocksdb::Options options;
    options.create_if_missing = true;
    std::unique_ptr<rocksdb::DB> db;
    ASSERT_TRUE(rocksdb::DB::Open(options, options_.path, OpenInto(&db)).ok());
    EXPECT_TRUE(key.empty() || db->Put({}, key, value).ok());
  }

  // Expects that Open names the path and says this.
  void ExpectRefused(absl::StatusCode code, const std::string& reason) const {
    const absl::Status status = OpenExactFrontier(options_).status();
    EXPECT_EQ(status.code(), code);
    EXPECT_EQ(status.message().find(options_.path + reason), 0u) << status;
  }

  uint64_t Ticker(rocksdb::Tickers ticker) const {
    return options_.statistics->getTickerCount(ticker);
  }

  const TemporaryDirectory directory_;
  ExactFrontierOptions options_;
};

// A block that can't be read is an error, whichever of the two threads reads
// it, and no URL is taken for new because of it.
TEST_F(ExactFrontierTest, ADamagedBlockIsAnError) {
  constexpr uint64_t kUrls = 5000;
  options_.keep_queue = false;
  Push(*Open(), 0, kUrls);
  Compact();
  for (const auto& file : std::filesystem::directory_iterator(options_.path)) {
    // The file of the URLs; that of the state has hardly a kilobyte.
    if (file.path().extension() != ".sst" || file.file_size() < 50000) continue;
    std::fstream bytes(file.path(),
                       std::ios::binary | std::ios::in | std::ios::out);
    bytes.seekp(10000);
    bytes << "damaged";
  }
  const auto frontier = Open();
  const auto is_ok = [&](const std::vector<std::string>& urls) {
    uint64_t num_new = 0;
    return Push(*frontier, urls, &num_new).ok();
  };
  std::vector<std::string> good, bad;
  for (uint64_t i = 0; i < kUrls; ++i) {
    (is_ok({Url(i)}) ? good : bad).push_back(Url(i));
  }
  EXPECT_EQ(frontier->NumSeen(), kUrls);
  ASSERT_FALSE(bad.empty());
  ASSERT_GT(good.size(), 4000u);
  std::vector<std::string> urls(good.begin(), good.begin() + 2000);
  EXPECT_TRUE(is_ok(urls));
  urls.back() = bad[0];
  EXPECT_FALSE(is_ok(urls));
  std::swap(urls.front(), urls.back());
  EXPECT_FALSE(is_ok(urls));
}

// Our filters answer for new URLs: 99 of 100 need no data block.
TEST_F(ExactFrontierTest, NewUrlsCostNoRead) {
  constexpr uint64_t kUrls = kSlow ? 20000 : 100000;
  options_.keep_queue = false;
  Push(*Open(), 0, kUrls);
  Compact();
  options_.statistics = rocksdb::CreateDBStatistics();
  const auto frontier = Open();
  const auto data_blocks = [&] {
    return Ticker(rocksdb::BLOCK_CACHE_DATA_HIT) +
           Ticker(rocksdb::BLOCK_CACHE_DATA_MISS);
  };
  const uint64_t blocks = data_blocks();
  EXPECT_EQ(Push(*frontier, kUrls, 2 * kUrls), kUrls);
  EXPECT_GE(Ticker(rocksdb::BLOOM_FILTER_USEFUL), kUrls * 99 / 100);
  EXPECT_LE(data_blocks() - blocks, kUrls / 100);
  // URLs that were seen are found, which takes reads.
  EXPECT_EQ(Push(*frontier, 0, 1000), 0u);
  EXPECT_GT(data_blocks() - blocks, 0u);
}

TEST_F(ExactFrontierTest, SyncSyncsTheLog) {
  options_.statistics = rocksdb::CreateDBStatistics();
  const auto frontier = Open();
  Push(*frontier, 0, 10);
  const uint64_t before = Ticker(rocksdb::WAL_FILE_SYNCED);
  ASSERT_TRUE(frontier->Sync().ok());
  EXPECT_EQ(Ticker(rocksdb::WAL_FILE_SYNCED), before + 1);
}

// tests/membership/urls/url_pusher.cc pushes fifty URLs per call, sometimes
// pops ten, and reports what it has done, until it is killed. Everything
// reported has its effect, a call not reported took effect as a whole or not at
// all, and the queue has what was pushed and not popped, in order.
TEST_F(ExactFrontierTest, AKilledProgramLosesNothing) {
  std::mt19937_64 random = TestRandom();
  uint64_t pushed = 0, popped = 0;
  for (int round = 0; round < (kSlow ? 3 : 6); ++round) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl("tests/membership/urls/url_pusher", "url_pusher",
            options_.path.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    // Wait for the first report, so that it is at work when it is killed.
    std::string report(1, '\0');
    ASSERT_EQ(read(ends[0], report.data(), 1), 1);
    usleep(static_cast<useconds_t>(random() % 100000));
    kill(child, SIGKILL);
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
      report.append(buffer, static_cast<size_t>(n));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);

    // Lines `pushed popped`; the last may be incomplete.
    std::istringstream lines(report.substr(0, report.rfind('\n') + 1));
    uint64_t reported_pushed = pushed, reported_popped = popped;
    while (lines >> reported_pushed >> reported_popped) {
    }
    const auto frontier = Open();
    ASSERT_NE(frontier, nullptr);
    EXPECT_GE(frontier->NumSeen(), reported_pushed);
    EXPECT_GT(reported_pushed, pushed);
    ASSERT_EQ(frontier->NumSeen() % 50, 0u);
    pushed = frontier->NumSeen();
    popped = pushed - frontier->Size();
    ASSERT_GE(popped, reported_popped);
    ASSERT_LE(popped, reported_popped + 10);
    EXPECT_EQ(Push(*frontier, 0, pushed), 0u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(*frontier->Pop(), Url(popped++));
  }
  const auto frontier = Open();
  for (; popped < pushed; ++popped) ASSERT_EQ(*frontier->Pop(), Url(popped));
  EXPECT_EQ(*frontier->Pop(), std::nullopt);
}

TEST_F(ExactFrontierTest, OneProgramAtATime) {
  const auto frontier = Open();
  ExpectRefused(absl::StatusCode::kUnavailable, "");
}

// RocksDB would make a new database there, and delete the tables.
TEST_F(ExactFrontierTest, RefusesAFolderWithOtherFilesOrWithoutCurrent) {
  Push(*Open(), 0, 10);
  ASSERT_TRUE(std::filesystem::remove(options_.path + "/CURRENT"));
  for (const std::string name : {"000099.sst", "letter.txt"}) {
    const std::string file = options_.path + "/" + name;
    std::ofstream(file) << "Dear";
    ExpectRefused(absl::StatusCode::kFailedPrecondition,
                  ": holds " + name +
                      ", but no file CURRENT: restore it, or use another "
                      "directory");
    EXPECT_TRUE(std::filesystem::remove(file));
  }
  EXPECT_FALSE(std::filesystem::exists(options_.path + "/CURRENT"));
}

// An Open that was interrupted leaves a database without our column families,
// which is completed. Databases of other programs and versions stay as they
// are.
TEST_F(ExactFrontierTest, TakesOnlyAnEmptyDatabaseForItsOwn) {
  MakeForeign("", "");
  EXPECT_EQ(Push(*Open(), 0, 10), 10u);
  const struct {
    const char *key, *value;
    absl::StatusCode code;
    const char* error;
  } kForeign[] = {
      {"theirs", "value", absl::StatusCode::kFailedPrecondition,
       ": is the RocksDB database of another program"},
      {"format", "oneline urls 3", absl::StatusCode::kUnimplemented,
       ": this program does not know the format 'oneline urls 3'"},
  };
  for (const auto& foreign : kForeign) {
    options_.path += "x";
    MakeForeign(foreign.key, foreign.value);
    ExpectRefused(foreign.code, foreign.error);
    std::vector<std::string> families;
    ASSERT_TRUE(
        rocksdb::DB::ListColumnFamilies({}, options_.path, &families).ok());
    EXPECT_EQ(families, std::vector<std::string>{"default"});
  }
}

TEST_F(ExactFrontierTest, TooLittleMemoryIsRefused) {
  options_.memory_bytes = 1000;
  EXPECT_EQ(OpenExactFrontier(options_).status().message(),
            "an exact frontier needs 8 MiB of memory or more, not 1000 bytes");
}

// FIPS 180-2's examples, cut to 16 bytes.
TEST(UrlDigestTest, IsTheBeginningOfSha256) {
  for (const auto& [url, hex] :
       {std::pair(std::string("abc"), "ba7816bf8f01cfea414140de5dae2223"),
        {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67"}}) {
    const UrlDigest digest = DigestOf(url);
    EXPECT_EQ(absl::BytesToHexString({digest.data(), digest.size()}), hex);
  }
}

}  // namespace
}  // namespace oneline
