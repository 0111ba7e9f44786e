// Many threads on one database: lookups, batches and iterators while options
// are set, tables rewritten, families dropped and the policy replaced; readers
// in the block cache that outlive database and policy.

#include <malloc.h>

#include <mutex>

#include "tests/filter_policy/set_filter_options.h"

// ThreadSanitizer asks for it, for all tests of this folder. The distribution's
// RocksDB is not instrumented, so ThreadSanitizer can't see that SetOptions and
// writes wait for each other in its queue of writers, and that it deletes
// versions and files by their counts of references.
extern "C" const char* __tsan_default_suppressions() {
  return "race:rocksdb::WriteThread\n"
         "race:rocksdb::Version::Unref\n"
         "race:rocksdb::PosixRandomAccessFile::~PosixRandomAccessFile\n";
}

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;

constexpr int kKeys = kSlow ? 500 : 2000;  // half of them are put
constexpr int kRounds = kSlow ? 8 : 20;

// Memory that is freed is overwritten: what is used after that is wrong, also
// without AddressSanitizer.
const int kOverwritten = mallopt(M_PERTURB, 0xa5);

rocksdb::BlockBasedTableOptions CachedFilters(
    const std::shared_ptr<rocksdb::Cache>& cache, bool partitioned) {
  rocksdb::BlockBasedTableOptions table;
  table.cache_index_and_filter_blocks = true;
  table.block_cache = cache;
  table.block_size = 512;
  if (partitioned) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 256;
  }
  return table;
}

// Runs each in a thread, again and again, until `act` in this one is done; once
// at least.
void RunBeside(const std::vector<std::function<void()>>& loops,
               const std::function<void()>& act) {
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (const auto& loop : loops) {
    threads.emplace_back([&] {
      do {
        loop();
      } while (!done);
    });
  }
  act();
  done = true;
  for (std::thread& thread : threads) thread.join();
}

// Each even key is found by an iterator, and no odd one.
void ExpectAllSought(rocksdb::Iterator* it) {
  for (int i = 0; i < kKeys && !testing::Test::HasFailure(); ++i) {
    it->Seek(KeyAt(i).substr(0, kPrefixBytes));
    EXPECT_EQ(it->Valid(), i % 2 == 0) << KeyAt(i);
    EXPECT_TRUE(it->status().ok());
  }
}

class ThreadsTest : public testing::TestWithParam<bool> {
 protected:
  rocksdb::Options Options(const PolicyPtr& policy) const {
    rocksdb::Options options =
        OptionsWith(policy, CachedFilters(cache_, GetParam()));
    options.prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(kPrefixBytes));
    return options;
  }

  // So small that filters come and go.
  std::shared_ptr<rocksdb::Cache> cache_ = rocksdb::NewLRUCache(16 << 10);
};

INSTANTIATE_TEST_SUITE_P(Layouts, ThreadsTest, testing::Bool());

TEST_P(ThreadsTest, ReadersAreRightWhateverIsChanged) {
  PolicyPtr policy = PolicyWith(FilterOptions());
  const rocksdb::Options options = Options(policy);
  ScratchDatabase database(options, kKeys);
  rocksdb::ReadOptions by_prefix;
  by_prefix.prefix_same_as_start = true;
  const std::unique_ptr<rocksdb::Iterator> old(
      database->NewIterator(by_prefix));
  std::atomic<int> reads{0};
  const TemporaryDirectory directory;
  const std::string file = directory.File("sst");
  WriteTableFile(options, file, kKeys);
  // One thread at a time: ThreadSanitizer can't see the queue of writers in a
  // RocksDB that is not instrumented; nor memtables, so tables are ingested.
  std::mutex one_writer;
  const std::vector<std::function<void()>> readers = {
      [&] {
        ExpectAllFound(database, 0, kKeys);
        ++reads;
      },
      [&] {
        const std::unique_ptr<rocksdb::Iterator> it(
            database->NewIterator(by_prefix));
        ExpectAllSought(it.get());
        ++reads;
      },
      // It sees the tables that were there when it was made.
      [&] { ExpectAllSought(old.get()); },
      // A family that is dropped while it is read.
      [&] {
        ColumnFamilyHandle* family = nullptr;
        std::unique_ptr<rocksdb::Iterator> it;
        {
          const std::lock_guard<std::mutex> lock(one_writer);
          ASSERT_TRUE(
              database->CreateColumnFamily(options, "other", &family).ok());
          ASSERT_TRUE(database->IngestExternalFile(family, {file}, {}).ok());
          it.reset(database->NewIterator(by_prefix, family));
          ASSERT_TRUE(database->DropColumnFamily(family).ok());
        }
        std::string value;
        for (int i = 0; i < kKeys; ++i) {
          EXPECT_EQ(database->Get({}, family, KeyAt(i), &value).ok(),
                    i % 2 == 0);
        }
        // Iterators of RocksDB 9 use the handle.
        ExpectAllSought(it.get());
        ASSERT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
      },
  };
  RunBeside(readers, [&] {
    const char* const kSizes[] = {"bits_per_key=20", "fp_rate=0.05",
                                  "kind=bloom", "kind=ribbon"};
    const auto is_enough = [&] {
      return reads >= 4 && database.PrefixUseful() > 1000 &&
             database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) > 1000;
    };
    for (int i = 0; i < kRounds || !is_enough(); ++i) {
      ASSERT_LT(i, 1000 * kRounds) << "no filter answers";
      const Form form = i % 3 == 0 ? Form::kWhole : Form::kDotted;
      const std::lock_guard<std::mutex> lock(one_writer);
      ASSERT_TRUE(SetFilterOptions(database, kSizes[i % 4], form).ok());
      ASSERT_TRUE(database->IngestExternalFile({file}, {}).ok());
      if (i % 2 == 1) database.CompactAll();
    }
  });
}

// Databases share a cache, and each reader in it was made by a policy of a
// database that is closed.
TEST_P(ThreadsTest, ReadersOutliveDatabasesAndPolicies) {
  cache_ = rocksdb::NewLRUCache(8 << 20);
  std::weak_ptr<const rocksdb::FilterPolicy> weak;
  const auto new_options = [&] {
    const PolicyPtr policy = OurPolicy(10, Kind::kRibbon, 1);
    weak = policy;
    return Options(policy);
  };
  ScratchDatabase database(new_options(), kKeys);
  for (int i = 0; i < 4 && !HasFailure(); ++i) {
    RunBeside({[&] { ExpectFiltered(database, 0, kKeys); },
               [&] { ExpectAllFound(database, 0, kKeys); }},
              [&] { ExpectPrefixSeeksFiltered(database, 0, kKeys); });
    if (i > 0) {
      EXPECT_EQ(database.Ticker(rocksdb::BLOCK_CACHE_FILTER_MISS), 0u);
    }
    database.Close();
    EXPECT_TRUE(weak.expired());
    database.Reopen(new_options());
  }
}

}  // namespace
}  // namespace oneline
