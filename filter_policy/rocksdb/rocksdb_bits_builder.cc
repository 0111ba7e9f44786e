#include "filter_policy/rocksdb/rocksdb_bits_builder.h"

#include <rocksdb/slice.h>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>

#include "filter_policy/rocksdb/rocksdb_cache_charge.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/filter_block_builder.h"

namespace oneline {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

// RocksDB's own filter that every key passes, which needs no memory.
constexpr char kAlwaysMaybe[6] = {};

class BitsBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  explicit BitsBuilder(const BitsBuilderOptions& options)
      : options_(options),
        builder_(*options.kind, options.bits_per_key, options.seed,
                 options.level),
        charge_(options.charged_cache) {
    AwaitNextUnit();
  }

  void AddKey(const Slice& key) override {
    Add([&] { builder_.AddKey(key.ToStringView()); });
  }

#if ONELINE_BUILDER_HAS_ALT
  void AddKeyAndAlt(const Slice& key, const Slice& alt) override {
    Add([&] {
      builder_.AddKeyAndPrefix(key.ToStringView(), alt.ToStringView());
    });
  }
#endif

  size_t EstimateEntriesAdded() override {
    if (finished_) return 0;
    // Also of those that found no memory: RocksDB would take their table for
    // one without keys, and their partition for one that has room for more.
    return builder_.num_keys() + keys_left_out_;
  }

  Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return Finish(buf, nullptr);
  }

  Slice Finish(std::unique_ptr<const char[]>* buf, Status* status) override {
    if (status != nullptr) *status = Status::OK();
    ResetIfFinished();
    FilterBlock block;
    WithMemory([&] {
      if (!out_of_memory_) block = FinishKeys();
    });
    const bool left_out = out_of_memory_;
    if (left_out) LogLeftOut();
    finished_ = true;
    // Keeps the keys if MaybePostVerify is going to look them up.
    if (left_out || !options_.verify) ResetIfFinished();
    *buf = left_out ? nullptr : std::move(block.bytes);
    return left_out ? Slice(kAlwaysMaybe, sizeof(kAlwaysMaybe))
                    : Slice(buf->get(), block.size);
  }

  Status MaybePostVerify(const Slice& filter) override {
    if (!finished_) return Status::OK();
    const bool intact = builder_.Verify(filter.ToStringView());
    ResetIfFinished();
    if (intact) return Status::OK();
    return Status::Corruption(
        "oneline: a filter just built does not match its own keys",
        "memory was damaged while it was built");
  }

  // RocksDB makes partitions of so many keys, so they can fill an allocation
  // without more or fewer bits for a key.
  size_t ApproximateNumEntries(size_t bytes) override {
    uint32_t lines = std::min(LinesWithin(bytes), options_.max_lines);
    if (options_.rounding != nullptr) {
      lines = AllocationRounding::RoundDown(lines, allocator());
    }
    return builder_.MaxKeys(BlockBytesOf(lines));
  }

#if ONELINE_BUILDER_HAS_SPACE
  // RocksDB cuts files by it and relies on the filter being no larger.
  size_t CalculateSpace(size_t num_entries) override {
    const size_t bytes = builder_.BlockBytes(num_entries);
    return std::min(options_.rounding == nullptr
                        ? bytes
                        : AllocationRounding::MaxBytes(bytes),
                    BlockBytesOf(options_.max_lines));
  }
  double EstimatedFpRate(size_t num_entries, size_t bytes) override {
    return builder_.FpRate(num_entries, bytes);
  }
#endif

 private:
  // Calls `act`. RocksDB ends the program at an exception; without memory the
  // filter is left out instead, and its keys are given back.
  template <typename Act>
  void WithMemory(Act act) {
    try {
      act();
    } catch (const std::bad_alloc&) {
      out_of_memory_ = true;
      keys_left_out_ += builder_.num_keys();
      builder_.Reset();
    }
  }

  template <typename AddOne>
  void Add(AddOne add_one) {
    ResetIfFinished();
    if (!out_of_memory_) {
      WithMemory([&] {
        if (builder_.num_keys() >= keys_of_next_unit_) ChargeKeys();
        add_one();
      });
    }
    if (out_of_memory_) ++keys_left_out_;
  }

  FilterBlock FinishKeys() {
    const uint32_t num_lines = NumLines();
    Charge(KeysBytes() + BlockBytesOf(num_lines) +
           FilterBlockBuilder::kMaxScratchBytes);
    FilterBlock block = builder_.Finish(num_lines);
    blocks_bytes_ += block.size;
    Charge(KeysBytes());
    return block;
  }

  void LogLeftOut() {
    WithMemory([&] {
      rocksdb::Warn(options_.log,
                    "[%s] oneline: no memory for a filter of %zu keys: it is "
                    "left out",
                    options_.column_family.c_str(), keys_left_out_);
    });
  }

  void ResetIfFinished() {
    if (!finished_) return;
    builder_.Reset();
    finished_ = false;
    WithMemory([&] { Charge(0); });
    out_of_memory_ = false;
    keys_left_out_ = 0;
    AwaitNextUnit();
  }

  // What the keys take, in whole units. As in RocksDB, a unit is charged when
  // half of it is used, so small partitions are not charged.
  size_t KeysBytes() const {
    constexpr size_t kUnit = CacheCharge::kUnitBytes;
    return (FilterBlockBuilder::kBytesPerKey * builder_.num_keys() +
            kUnit / 2) /
           kUnit * kUnit;
  }

  // The number of keys from which on KeysBytes() is a unit more.
  void AwaitNextUnit() {
    if (!charge_.is_on()) return;
    keys_of_next_unit_ = (KeysBytes() + CacheCharge::kUnitBytes / 2) /
                         FilterBlockBuilder::kBytesPerKey;
  }

  void ChargeKeys() {
    Charge(KeysBytes());
    AwaitNextUnit();
  }

  // Charges what is there besides the blocks, which RocksDB keeps until they
  // are written, and then it destroys the builder. If the cache is full and its
  // limit strict, the filter is built all the same, as RocksDB builds its Bloom
  // filters: the memory is needed, and the table would be worse without it.
  void Charge(size_t bytes) {
    if (charge_.Set(bytes + blocks_bytes_) || warned_) return;
    warned_ = true;
    rocksdb::Warn(options_.log,
                  "[%s] oneline: the block cache is full and its capacity "
                  "limit is strict: memory for building a filter is not "
                  "charged to it",
                  options_.column_family.c_str());
  }

  rocksdb::MemoryAllocator* allocator() const {
    return options_.block_cache == nullptr
               ? nullptr
               : options_.block_cache->memory_allocator();
  }

  uint32_t NumLines() {
    const uint32_t lines = builder_.NumLines();
    if (lines > options_.max_lines) return NumLinesOfLimited();
    if (options_.rounding == nullptr) return lines;
    return std::min(
        options_.rounding->Round(lines, options_.level, allocator()),
        options_.max_lines);
  }

  // Of a filter that would be larger than the limit.
  uint32_t NumLinesOfLimited() {
    const uint32_t lines =
        options_.rounding == nullptr
            ? options_.max_lines
            : AllocationRounding::RoundDown(options_.max_lines, allocator());
    const auto keys = static_cast<double>(builder_.num_keys());
    const double bits_per_key = kLineBits * lines / keys;
    const bool left_out = bits_per_key < 1;
    if (!limit_logged_) {
      limit_logged_ = true;
      rocksdb::Warn(options_.log,
                    "[%s] oneline: max_filter_bytes=%" PRIu64
                    ": a filter of %zu keys %s %.2f bits per key instead of "
                    "%.2f",
                    options_.column_family.c_str(), options_.max_filter_bytes,
                    builder_.num_keys(),
                    left_out ? "is left out, which would have" : "has",
                    bits_per_key, options_.bits_per_key);
    }
    // With that many keys, all bits of one line are set, so every key passes.
    // (To return no block at all would make RocksDB deny every key, without
    // this library.)
    return left_out ? 1 : lines;
  }

  const BitsBuilderOptions options_;
  FilterBlockBuilder builder_;
  bool finished_ = false;  // the builder still holds the last filter's keys
  CacheCharge charge_;
  size_t blocks_bytes_ = 0;  // of all filters built
  size_t keys_of_next_unit_ = std::numeric_limits<size_t>::max();
  bool out_of_memory_ = false;  // for the filter that is being built
  size_t keys_left_out_ = 0;    // of it, then
  bool warned_ = false;         // of a full cache
  bool limit_logged_ = false;   // of max_filter_bytes
};

}  // namespace

std::unique_ptr<rocksdb::FilterBitsBuilder> NewBitsBuilder(
    const BitsBuilderOptions& options) {
  return std::make_unique<BitsBuilder>(options);
}

}  // namespace oneline
