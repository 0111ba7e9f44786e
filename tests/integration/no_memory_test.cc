// No memory while filters are built and opened: whichever allocation fails, the
// program goes on, no key is lost, and the next filter is a whole one. RocksDB
// and LevelDB call policies where an exception ends the program.

#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <new>

#include "oneline/leveldb_filter_policy.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/table_layouts.h"

namespace {

// Of this thread: how many allocations succeed before one fails; below 0 none
// fails.
thread_local int g_left = -1;
// How many allocations there are now.
std::atomic<int64_t> g_allocations{0};

void* Allocate(size_t bytes, size_t alignment) {
  if (g_left >= 0 && g_left-- == 0) throw std::bad_alloc();
  bytes = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  ++g_allocations;
  return memory;
}

void Free(void* memory) {
  if (memory != nullptr) --g_allocations;
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) {
  return Allocate(bytes, alignof(std::max_align_t));
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  Free(memory);
}

namespace oneline {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

// Two chunks of hashes, and two units charged to a cache.
constexpr size_t kManyKeys = kSlow ? 20000 : 60000;

// Calls act() with the first allocation failing, then with the second and so
// on, until none fails. Returns how many did. After each, then(failed).
template <typename Act, typename Then>
int WithEachFailure(Act act, Then then) {
  for (int n = 0;; ++n) {
    SCOPED_TRACE(n);
    g_left = n;
    act();
    const bool failed = g_left < 0;
    g_left = -1;
    then(failed);
    if (!failed || testing::Test::HasFailure()) return n;
  }
}

rocksdb::BlockBasedTableOptions AllThatAllocates() {
  rocksdb::BlockBasedTableOptions table;
  table.detect_filter_construct_corruption = true;
  table.optimize_filters_for_memory = true;
  table.block_cache = rocksdb::NewLRUCache(64 << 20);
#if ONELINE_HAS_CACHE_USAGE
  table.cache_usage_options.options.charged =
      rocksdb::CacheEntryRoleOptions::Decision::kEnabled;
#endif
  return table;
}

class NoMemoryTest : public testing::TestWithParam<Kind> {
 protected:
  const PolicyPtr policy_ = OurPolicy(10, GetParam());
  const rocksdb::BlockBasedTableOptions table_ = AllThatAllocates();
  const rocksdb::FilterBuildingContext context_{table_};
};

INSTANTIATE_TEST_SUITE_P(Kinds, NoMemoryTest,
                         testing::Values(Kind::kBloom, Kind::kRibbon));

TEST_P(NoMemoryTest, ABuilderLeavesItsFilterOut) {
  const Keys keys = MakeKeys("key", kManyKeys);
  const Keys absent = MakeKeys("absent", 1000);
  BuilderPtr builder;
  std::unique_ptr<const char[]> owner;
  Slice block;
  Status status;
  const auto build = [&] {
    for (const std::string& key : keys) builder->AddKey(key);
    block = builder->Finish(&owner, &status);
    if (status.ok()) status = builder->MaybePostVerify(block);
  };
  // With one builder for all filters, as of partitions, and with one for each.
  int64_t allocations = 0;
  for (const bool one : {true, false}) {
    builder.reset(policy_->GetBuilderWithContext(context_));
    const int failures = WithEachFailure(build, [&](bool failed) {
      ASSERT_TRUE(status.ok()) << status.ToString();
      const ReaderPtr reader = NewReader(policy_, block);
      EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
      EXPECT_EQ(failed, !HasMagic(block.ToStringView()));
      EXPECT_GE(CountMatches(absent, reader.get()), failed ? 1000u : 0u);
      // The builder is as good as new.
      build();
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_TRUE(HasMagic(block.ToStringView()));
      const ReaderPtr next = NewReader(policy_, block);
      EXPECT_EQ(CountMatches(keys, next.get()), keys.size());
      EXPECT_LT(CountMatches(absent, next.get()), 50u);
      if (!one) builder.reset(policy_->GetBuilderWithContext(context_));
    });
    EXPECT_GT(failures, one ? 0 : 4);
    builder.reset();
    owner.reset();
    EXPECT_EQ(table_.block_cache->GetPinnedUsage(), 0u);
    // None is lost. (In the first round some are made once for all.)
    if (!one) {
      EXPECT_EQ(g_allocations, allocations);
    }
    allocations = g_allocations;
  }
}

TEST_P(NoMemoryTest, ThereIsNoBuilderOrReader) {
  const Keys keys = MakeKeys("key", 1000);
  const std::string block = BuildBlock(policy_, keys);
  const std::string bloom =
      BuildBlock(PolicyNamed("bloomfilter:10:false"), keys);
  BuilderPtr builder;
  EXPECT_GT(
      WithEachFailure(
          [&] { builder.reset(policy_->GetBuilderWithContext(context_)); },
          [&](bool failed) { EXPECT_EQ(failed, builder == nullptr); }),
      0);
  for (const std::string& filter : {block, bloom}) {
    ReaderPtr reader;
    EXPECT_GT(WithEachFailure(
                  [&] { reader = NewReader(policy_, filter); },
                  [&](bool failed) { EXPECT_EQ(failed, reader == nullptr); }),
              0);
    EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
  }
}

// Our policy, whose builders have found no memory for a first key.
class FailingPolicy final : public OuterPolicy {
 public:
  using OuterPolicy::OuterPolicy;
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    auto* const builder = OuterPolicy::GetBuilderWithContext(context);
    g_left = 0;
    builder->AddKey("key");
    EXPECT_LT(g_left, 0);
    g_left = -1;
    return builder;
  }
};

// The whole filter, or the first partition, is left out.
TEST_P(NoMemoryTest, ATableIsWrittenWithoutFilters) {
  constexpr int kKeys = 6000;
  for (const bool partitioned : {false, true}) {
    TableLayout layout = {"no memory"};
    layout.partitioned = partitioned;
    ScratchDatabase database(
        OptionsFor(layout, std::make_shared<FailingPolicy>(policy_)), kKeys);
    if (partitioned) {
      ExpectFiltered(database, 0, kKeys, 0.3);
      ExpectUnfiltered(database, 0, 100);
    } else {
      ExpectUnfiltered(database, 0, kKeys);
    }
    // Also with RocksDB's own policy.
    database.Reopen(OptionsFor(layout, PolicyNamed("bloomfilter:10:false")));
    ExpectAllFound(database, 0, kKeys);
  }
}

// What is before it stays.
TEST_P(NoMemoryTest, LevelDBsFilterIsLeftOut) {
  FilterOptions options;
  options.kind = GetParam();
  const leveldb::FilterPolicy* made = nullptr;
  ASSERT_TRUE(NewLevelDBFilterPolicy(options, &made).ok());
  const std::unique_ptr<const leveldb::FilterPolicy> policy(made);
  const Keys keys = MakeKeys("key", 1000);
  const std::vector<leveldb::Slice> slices(keys.begin(), keys.end());
  std::string filters;
  const auto build = [&] {
    filters = "before";
    policy->CreateFilter(slices.data(), static_cast<int>(slices.size()),
                         &filters);
  };
  const int failures = WithEachFailure(build, [&](bool failed) {
    ASSERT_EQ(filters.substr(0, 6), "before");
    const leveldb::Slice filter(filters.data() + 6, filters.size() - 6);
    EXPECT_EQ(filter.empty(), failed);
    for (const leveldb::Slice& key : slices) {
      ASSERT_TRUE(policy->KeyMayMatch(key, filter));
    }
  });
  EXPECT_GT(failures, 1);
}

}  // namespace
}  // namespace oneline
