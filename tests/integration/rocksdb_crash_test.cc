// Power lost, or one write that fails, at any operation of flushes and
// compactions: afterwards the database opens, no key that was synced is lost,
// and filters are used.

#include "tests/filter_policy/fault_file_system.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using rocksdb::Status;

// At least; enough must fail and lose something, however long that takes.
constexpr int kCrashes = kSlow ? 15 : 40;
constexpr int kMostCrashes = 20 * kCrashes;
constexpr int kCrashKeys = 8000;  // half of them are put

class CrashTest : public testing::TestWithParam<bool> {
 protected:
  rocksdb::Options Options(rocksdb::Env* env) const {
    TableLayout layout = {"crash"};
    layout.partitioned = GetParam();
    rocksdb::Options options = OptionsFor(layout, policy_);
    auto& table =
        *options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
    table.block_cache = cache_;
#if ONELINE_HAS_CACHE_USAGE
    table.cache_usage_options
        .options_overrides[rocksdb::CacheEntryRole::kFilterConstruction]
        .charged = rocksdb::CacheEntryRoleOptions::Decision::kEnabled;
#endif
    options.env = env;
    // RocksDB's own LOG ends the program where its assertions are on and a
    // write to it fails.
    options.info_log = std::make_shared<NoLog>();
    options.max_background_jobs = 2;
    return options;
  }

  const PolicyPtr policy_ = PolicyWith(FilterOptions());
  const std::shared_ptr<rocksdb::Cache> cache_ = rocksdb::NewLRUCache(8 << 20);
};

INSTANTIATE_TEST_SUITE_P(Layouts, CrashTest, testing::Bool());

// Keys below these were put, and synced.
struct Progress {
  int put = 0;
  int synced = 0;
};

// Puts, flushes and compacts until the first error.
Progress Write(const rocksdb::Options& options, const std::string& path,
               std::mt19937_64& random) {
  std::unique_ptr<rocksdb::DB> db;
  if (!rocksdb::DB::Open(options, path, OpenInto(&db)).ok()) return {};
  Progress progress;
  Status status;
  for (int i = 0; i < kCrashKeys && status.ok(); i += 2) {
    rocksdb::WriteOptions write;
    write.sync = random() % 100 == 0;
    status = db->Put(write, KeyAt(i), ValueAt(i));
    if (status.ok()) progress.put = i + 2;
    if (status.ok() && write.sync) progress.synced = progress.put;
    if (status.ok() && random() % 800 == 0) {
      status = db->Flush(rocksdb::FlushOptions());
      if (status.ok()) progress.synced = progress.put;
    }
    if (status.ok() && random() % 1600 == 0) {
      status =
          db->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr);
    }
  }
  return progress;
}

// The keys that are there: all before the first that is not, as the log is in
// order.
int Recovered(rocksdb::DB* db) {
  int i = 0;
  std::string value;
  while (i < kCrashKeys && db->Get({}, KeyAt(i), &value).ok()) i += 2;
  return i;
}

TEST_P(CrashTest, NoSyncedKeyIsLost) {
  std::mt19937_64 random = TestRandom();
  const uint64_t seed = random();
  uint64_t operations = 0, useful = 0;
  int failed = 0, crashes_with_loss = 0;
  // Without any loss the file system spares what was not synced.
  const auto is_enough = [&] {
    return failed > kCrashes / 2 && crashes_with_loss > kCrashes / 4 &&
           useful > 1000;
  };
  for (int crash = -1; (crash < kCrashes || !is_enough()) && !HasFailure();
       ++crash) {
    ASSERT_LT(crash, kMostCrashes)
        << failed << " failed, " << crashes_with_loss << " lost something";
    ScratchDatabase database(Options(rocksdb::Env::Default()));
    database.Close();
    const auto files = std::make_shared<FaultFileSystem>(random());
    const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
    // The first run counts.
    const Fault fault = random() % 2 == 0 ? Fault::kPower : Fault::kOnce;
    if (crash >= 0) files->FailAt(random() % operations, fault);
    SCOPED_TRACE(crash);
    std::mt19937_64 same(seed);
    const Progress progress = Write(Options(env.get()), database.path(), same);
    if (crash < 0) operations = files->operations();
    failed += files->failed();
    EXPECT_EQ(cache_->GetPinnedUsage(), 0u);
    files->LosePower();

    ASSERT_TRUE(IsOk(database.TryReopen(Options(env.get()))));
    const int recovered = Recovered(database.get());
    EXPECT_GE(recovered, progress.synced);
    crashes_with_loss += recovered < progress.put;
    // Tables that were there filter, and so do those made of them.
    ExpectAllFound(database, 0, recovered);
    useful += database.Ticker(rocksdb::BLOOM_FILTER_USEFUL);
    database.CompactAll();
    // Of few keys any false positive is more than 5 %.
    ExpectFiltered(database, 0, recovered, recovered < 500 ? 0 : 0.95);
    database.Close();
  }
}

}  // namespace
}  // namespace oneline
