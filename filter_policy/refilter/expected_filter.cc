#include "filter_policy/refilter/expected_filter.h"

#include <algorithm>

#include "filter_policy/options/tree_bits.h"
#include "filter_policy/refilter/decoded_filter.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/filter_block.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

using rocksdb::TableFileCreationReason;

// Filters of more keys are not built; their size is extrapolated. From here on
// all kinds grow in proportion to their keys, RocksDB's Ribbon by 0.5 % more
// for each doubling.
constexpr uint64_t kMaxSampleKeys = 20000;

// How much a size may differ: by this share of it, and by this many bytes for
// each block, which is rounded up to lines. With optimize_filters_for_memory
// filters are rounded to what the allocator of that program gave, RocksDB's up
// to a quarter more or less, ours up to a third more or a quarter less. Ours
// say what they were rounded from.
constexpr double kTolerance = 0.06;
constexpr double kAllocatorTolerance = 0.34;
constexpr double kToleranceBytes = 128;

// Below this a filter may be Bloom although the options say Ribbon. Somewhat
// above kMinRibbonBitsPerKey, as the trailer counts, too.
constexpr double kFewBitsPerKey = 1.15 * kMinRibbonBitsPerKey;

// RocksDB's Ribbon policy writes Bloom filters for few keys, as they are then
// smaller. Partitions below this size may be of either kind, so that a filter
// may take anything between the two. For 1 to 26 bits per key a Ribbon takes
// 0.77 to 0.62 of the bytes of the Bloom filter (tools/size/filter_models.h),
// and the fewer keys, the more.
constexpr uint64_t kMixedBytes = 2048;
constexpr double kRibbonShare = 0.62;

rocksdb::BlockBasedTableOptions WithoutRounding(
    rocksdb::BlockBasedTableOptions options) {
  options.optimize_filters_for_memory = false;
  return options;
}

bool IsRocksDBs(FoundKind kind) {
  return kind == FoundKind::kRocksDBBloom || kind == FoundKind::kRocksDBRibbon;
}

// Whether a Ribbon policy may have written a Bloom filter, as there are too few
// bits for a Ribbon.
bool AreFewBits(double filter_bytes, const TableFilter& table) {
  return 8 * filter_bytes <
         kFewBitsPerKey * static_cast<double>(table.filter_keys);
}

}  // namespace

int LastLevel(const rocksdb::DBOptions& db_options,
              const rocksdb::ColumnFamilyOptions& options, int deepest) {
  bool may_ingest = db_options.allow_ingest_behind;
#if ONELINE_HAS_CF_INGEST_BEHIND
  may_ingest = may_ingest || options.cf_allow_ingest_behind;
#endif
  return may_ingest ? options.num_levels - 1 : deepest;
}

FilterExpectations::FilterExpectations(
    std::shared_ptr<const rocksdb::FilterPolicy> policy,
    const std::string& column_family,
    const rocksdb::ColumnFamilyOptions& options,
    const rocksdb::BlockBasedTableOptions& table_options)
    : policy_(std::move(policy)),
      ours_(policy_ == nullptr ? std::nullopt : OptionsOf(*policy_)),
      is_by_level_(
          ours_.has_value() && ours_->bits_by_level &&
          ours_->level_bits_per_key.empty() &&
          (options.compaction_style == rocksdb::kCompactionStyleLevel ||
           options.compaction_style == rocksdb::kCompactionStyleUniversal)),
      column_family_(column_family),
      options_(options),
      table_options_(WithoutRounding(table_options)),
      is_rounded_(table_options.optimize_filters_for_memory) {}

double FilterExpectations::Limited(double bytes, uint64_t keys) const {
  // Partitions are cut so that they keep to it.
  if (!is_limited() || table_options_.partition_filters) return bytes;
  const auto most = static_cast<double>(*ours_->max_filter_bytes);
  if (bytes <= most) return bytes;
  const bool left_out = 8 * most < static_cast<double>(keys);
  return left_out ? kLineBytes + kTrailerBytes : most;
}

ExpectedFilter FilterExpectations::Build(const Origin& origin, uint64_t keys,
                                         bool is_bottommost) const {
  if (policy_ == nullptr) return {};
  rocksdb::FilterBuildingContext context(table_options_);
  context.column_family_name = column_family_;
  context.compaction_style = options_.compaction_style;
  context.num_levels = options_.num_levels;
  context.reason = origin.first;
  context.level_at_creation = origin.second;
  context.is_bottommost = is_bottommost;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      policy_->GetBuilderWithContext(context));
  if (builder == nullptr) return {};
  uint64_t in_block = keys;
  if (table_options_.partition_filters) {
    const uint64_t max_in_block =
        builder->ApproximateNumEntries(table_options_.metadata_block_size);
    in_block = std::clamp<uint64_t>(max_in_block, 1, keys);
  }
  for (uint64_t i = 0; i < in_block; ++i) {
    builder->AddKey("key" + std::to_string(i));
  }
  std::unique_ptr<const char[]> owner;
  const rocksdb::Slice block = builder->Finish(&owner);
  // Blocks under another name are not read, whatever is in them.
  const bool is_known =
      std::string_view(policy_->CompatibilityName()) == kCompatibilityName;
  const std::optional<FilterFacts> facts =
      is_known ? DecodeFilter(block.ToStringView()) : std::nullopt;
  ExpectedFilter expected;
  expected.kind = facts.has_value() ? facts->kind : FoundKind::kForeign;
  expected.bytes = static_cast<double>(block.size()) *
                   static_cast<double>(keys) / static_cast<double>(in_block);
  if (facts.has_value() && facts->trailer.has_value()) {
    expected.asked_bits_per_key = facts->trailer->asked_bits_per_key;
  }
  return expected;
}

double FilterExpectations::AskedBits(const Origin& origin) const {
  rocksdb::FilterBuildingContext context(table_options_);
  context.compaction_style = options_.compaction_style;
  context.reason = origin.first;
  context.level_at_creation = origin.second;
  return RequestedBitsPerKey(*ours_, KindFor(*ours_, context));
}

ExpectedFilter FilterExpectations::Expect(const Origin& origin, uint64_t keys,
                                          bool may_have_more,
                                          bool is_bottommost) {
  const uint64_t sample = std::min(keys, kMaxSampleKeys);
  const auto built = [&](bool as_bottommost) {
    const auto [found, is_new] =
        built_.try_emplace({origin, sample, as_bottommost});
    if (is_new) found->second = Build(origin, sample, as_bottommost);
    return found->second;
  };
  ExpectedFilter expected = built(is_bottommost);
  if (may_have_more) {
    // The last level gets the fewest, but flushes of a load, and all tables if
    // it gets none, can have fewer than were built here.
    const double asked = AskedBits(origin);
    if (expected.kind == FoundKind::kNone && asked > 0) expected = built(false);
    if (expected.asked_bits_per_key > asked && asked > 0) {
      expected.bytes *= asked / expected.asked_bits_per_key;
      expected.asked_bits_per_key = asked;
    }
  }
  const double bytes =
      expected.bytes * static_cast<double>(keys) / static_cast<double>(sample);
  const double asked = expected.asked_bits_per_key;
  expected.bytes = Limited(bytes, keys);
  expected.most_bytes = expected.bytes;
  expected.most_bits_per_key = asked;
  if (is_by_level_ && asked > 0) {
    expected.most_bits_per_key = std::max(AskedBits(origin), kMostBits);
    expected.most_bytes =
        Limited(bytes * expected.most_bits_per_key / asked, keys);
  }
  return expected;
}

ExpectedFilter FilterExpectations::At(int level, uint64_t keys) {
  return Expect({TableFileCreationReason::kCompaction, level}, keys,
                /*may_have_more=*/false);
}

bool FilterExpectations::IsMixed(const TableFilter& table,
                                 const ExpectedFilter& expected) const {
  return IsRocksDBs(table.kind) && IsRocksDBs(expected.kind) &&
         policy_->IsInstanceOf("ribbonfilter") &&
         table_options_.partition_filters &&
         table.block_bytes < kMixedBytes * table.blocks;
}

// Whether other bits than those expected may have changed which kind is better.
bool FilterExpectations::MayBeOfOtherKind(const TableFilter& table,
                                          const ExpectedFilter& expected,
                                          bool may_have_more) const {
  const bool are_few =
      AreFewBits(static_cast<double>(table.block_bytes), table);
  const bool are_expected_few = AreFewBits(expected.bytes, table);
  return IsOurs(table.kind) && IsOurs(expected.kind) &&
         ((are_few && (is_rounded_ || is_limited())) ||
          (are_expected_few && (may_have_more || are_few)));
}

bool FilterExpectations::SizeFits(const TableFilter& table,
                                  const ExpectedFilter& expected,
                                  bool may_have_more) const {
  const double most_bytes =
      may_have_more ? expected.most_bytes : expected.bytes;
  const auto tolerance = [&](double size) {
    return kToleranceBytes * static_cast<double>(table.blocks) +
           size * (is_rounded_ ? kAllocatorTolerance : kTolerance);
  };
  double least = expected.bytes - tolerance(expected.bytes);
  double greatest = most_bytes + tolerance(most_bytes);
  // Partitions end with a data block, so they can have more keys than the limit
  // leaves bits for. Under a limit half as high they would be smaller.
  if (is_limited() && table_options_.partition_filters &&
      table.asked_bits_per_key > 0 && table.block_bytes < table.filter_bytes) {
    const double limit = static_cast<double>(*ours_->max_filter_bytes) *
                         static_cast<double>(table.blocks);
    greatest = std::min(greatest, limit + tolerance(limit));
    if (static_cast<double>(table.block_bytes) > limit / 2) least = 0;
  }
  const bool is_ribbon = table.kind == FoundKind::kRocksDBRibbon;
  if (IsMixed(table, expected) &&
      (is_ribbon || expected.kind == FoundKind::kRocksDBRibbon)) {
    least = is_ribbon ? std::min(least, kRibbonShare * expected.bytes)
                      : (1 - kTolerance) * expected.bytes;
    greatest = std::max(greatest, expected.bytes / kRibbonShare);
  }
  const auto bytes = static_cast<double>(table.block_bytes);
  return bytes >= least && bytes <= greatest;
}

Verdict FilterExpectations::Compare(const TableFilter& table,
                                    const ExpectedFilter& expected,
                                    bool may_have_more) const {
  if (table.kind == FoundKind::kNone) {
    return expected.kind == FoundKind::kNone ? Verdict::kAsExpected
                                             : Verdict::kMissing;
  }
  if (expected.kind == FoundKind::kNone) return Verdict::kUnwanted;
  if (table.kind != expected.kind && !IsMixed(table, expected) &&
      !MayBeOfOtherKind(table, expected, may_have_more)) {
    return Verdict::kOtherKind;
  }
  if (table.kind == FoundKind::kForeign &&
      table.policy_name != policy_->Name()) {
    return Verdict::kOtherKind;
  }
  // Old versions of RocksDB do not record how many keys a filter has.
  if (table.filter_keys == 0) return Verdict::kAsExpected;
  const double asked = expected.asked_bits_per_key;
  const double most = may_have_more ? expected.most_bits_per_key : asked;
  if (table.asked_bits_per_key > 0 && asked > 0 &&
      (table.asked_bits_per_key < (1 - kTolerance) * asked ||
       table.asked_bits_per_key > (1 + kTolerance) * most)) {
    return Verdict::kOtherSize;
  }
  // What limits the size in a policy around ours is not known.
  if (!ours_.has_value() && table.asked_bits_per_key > 0 && asked > 0) {
    return Verdict::kAsExpected;
  }
  return SizeFits(table, expected, may_have_more) ? Verdict::kAsExpected
                                                  : Verdict::kOtherSize;
}

// Whether RocksDB leaves out the filter that the policy would write: because
// the last level gets none, or because no key of the table has a prefix.
bool FilterExpectations::MayLackFilter(const TableFilter& table, int level,
                                       int last_level) const {
  // RocksDB stores the policy's name even in tables for which it skipped the
  // filter.
  const bool has_policy = !table.policy_name.empty();
  if (!table_options_.whole_key_filtering && has_policy) return true;
  return options_.optimize_filters_for_hits &&
         (has_policy || level == last_level);
}

Verdict FilterExpectations::Judge(const TableFilter& table, int level,
                                  int last_level) {
  const uint64_t keys = table.keys_to_filter();
  if (keys == 0) return Verdict::kAsExpected;
  level = std::max(level, 0);
  // Level 0 has bottommost tables and others.
  const bool may_have_more =
      is_by_level_ && table.written_level >= 0 &&
      (table.written_level == 0 || table.written_level < last_level);
  const auto compare = [&](const Origin& origin, bool is_bottommost) {
    return Compare(table, Expect(origin, keys, may_have_more, is_bottommost),
                   may_have_more);
  };
  const Origin compaction(TableFileCreationReason::kCompaction, level);
  const Verdict here = compare(compaction, /*is_bottommost=*/true);
  // No policy wrote it, and above the last level ours would write a filter.
  if (here == Verdict::kAsExpected && table.kind == FoundKind::kNone &&
      is_by_level_ && table.policy_name.empty() && level < last_level &&
      AskedBits(compaction) > 0) {
    return Verdict::kMissing;
  }
  if (here == Verdict::kAsExpected) return here;
  if (here == Verdict::kMissing && MayLackFilter(table, level, last_level)) {
    return Verdict::kAsExpected;
  }
  std::vector<Origin> origins = {{TableFileCreationReason::kFlush, 0},
                                 {TableFileCreationReason::kMisc, -1}};
  for (int from = 0; from <= level; ++from) {
    origins.emplace_back(TableFileCreationReason::kCompaction, from);
  }
  for (const Origin& origin : origins) {
    // Our filters say where they were written.
    if (ours_.has_value() && IsOurs(table.kind) &&
        origin.second != table.written_level) {
      continue;
    }
    if (compare(origin, /*is_bottommost=*/true) == Verdict::kAsExpected) {
      return Verdict::kAsExpected;
    }
    // Other policies may make a difference, such as one that wraps ours.
    if (!ours_.has_value() &&
        compare(origin, /*is_bottommost=*/false) == Verdict::kAsExpected) {
      return Verdict::kAsExpected;
    }
  }
  return here;
}

}  // namespace oneline
