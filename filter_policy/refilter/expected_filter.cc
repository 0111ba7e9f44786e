#include "filter_policy/refilter/expected_filter.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "filter_policy/options/requested_bits.h"
#include "filter_policy/refilter/decoded_filter.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/filter_block.h"
#include "table/block/kind_choice.h"
#include "table/block/line_count.h"

namespace oneline {
namespace {

using rocksdb::FilterBuildingContext;
using rocksdb::TableFileCreationReason;

// How much a size may differ: by this share of it, and by this many bytes for
// each block, which is rounded up to lines. With optimize_filters_for_memory
// filters are rounded to what the allocator of that program gave, by up to a
// third.
constexpr double kTolerance = 0.06;
constexpr double kAllocatorTolerance = 0.34;
constexpr double kToleranceBytes = 128;

// Our trailer has the bits per key that were asked for in 512ths.
constexpr double kTrailerTolerance = 1.0 / 256;

// With so few bits per key in the block, where it counts its trailer, too,
// either kind of ours may have been the better one.
constexpr double kFewBitsPerKey = 1.15 * kMinRibbonBitsPerKey;

// RocksDB's Ribbon policy writes Bloom filters for few keys, as they are then
// smaller. Blocks below this size may be of either kind, so that a filter may
// take anything between the two. A Ribbon takes this share of the Bloom filter
// or more.
constexpr uint64_t kMixedBytes = 2048;
constexpr double kRibbonShare = 0.62;

// "10" and "2" of "ribbonfilter:10:2", the text of RocksDB's own policies.
double NumberIn(const std::string& text, int field) {
  size_t at = 0;
  while (field-- > 0 && at != text.npos) at = text.find(':', at + 1);
  return at == text.npos ? 0 : std::strtod(text.c_str() + at + 1, nullptr);
}

bool HasLevels(const FilterBuildingContext& context) {
  return context.compaction_style == rocksdb::kCompactionStyleLevel ||
         context.compaction_style == rocksdb::kCompactionStyleUniversal;
}

// As RocksDB's Ribbon policy counts levels.
int RibbonLevelOf(const FilterBuildingContext& context) {
  if (!HasLevels(context) || context.level_at_creation < 0) return INT_MAX - 1;
  return context.reason == TableFileCreationReason::kFlush
             ? -1
             : context.level_at_creation;
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
    const rocksdb::ColumnFamilyOptions& options,
    const rocksdb::BlockBasedTableOptions& table_options)
    : policy_(std::move(policy)),
      ours_(policy_ == nullptr ? std::nullopt : OptionsOf(*policy_)),
      options_(options),
      table_options_(table_options) {
  by_these_options_.ObserveOptions(options);
  if (policy_ == nullptr) {
    who_ = Who::kNobody;
  } else if (ours_.has_value()) {
    who_ = Who::kOurs;
    level_bits_ = LevelBitsOf(*policy_);
    if (level_bits_ == nullptr) level_bits_ = &by_these_options_;
  } else {
    // Policies around RocksDB's may have its name, and not its text.
    const std::string text = policy_->GetId();
    rocksdbs_bits_ = NumberIn(text, 1);
    bloom_before_level_ = static_cast<int>(NumberIn(text, 2));
    if (text.rfind("bloomfilter:", 0) == 0) who_ = Who::kRocksDBBloom;
    if (text.rfind("ribbonfilter:", 0) == 0) who_ = Who::kRocksDBRibbon;
  }
}

FilterBuildingContext FilterExpectations::Compaction(int level,
                                                     bool is_bottommost) const {
  FilterBuildingContext context(table_options_);
  context.compaction_style = options_.compaction_style;
  context.num_levels = options_.num_levels;
  context.reason = TableFileCreationReason::kCompaction;
  context.level_at_creation = level;
  context.is_bottommost = is_bottommost;
  return context;
}

FilterBuildingContext FilterExpectations::Flush() const {
  FilterBuildingContext context = Compaction(0, /*is_bottommost=*/false);
  context.reason = TableFileCreationReason::kFlush;
  return context;
}

FilterBuildingContext FilterExpectations::Ingestion() const {
  FilterBuildingContext context = Compaction(-1, /*is_bottommost=*/false);
  context.reason = TableFileCreationReason::kMisc;
  return context;
}

void FilterExpectations::Add(const FilterBuildingContext& context,
                             List* list) const {
  switch (who_) {
    case Who::kNobody:
      list->push_back({});
      return;
    case Who::kOther:
      return;
    case Who::kRocksDBBloom:
      if (table_options_.format_version < 5) {
        list->push_back(
            {FoundKind::kRocksDBOldBloom, std::round(rocksdbs_bits_)});
      } else {
        list->push_back({FoundKind::kRocksDBBloom, rocksdbs_bits_});
      }
      return;
    case Who::kRocksDBRibbon:
      list->push_back({RibbonLevelOf(context) < bloom_before_level_
                           ? FoundKind::kRocksDBBloom
                           : FoundKind::kRocksDBRibbon,
                       rocksdbs_bits_});
      return;
    case Who::kOurs:
      AddOurs(context, list);
      return;
  }
}

void FilterExpectations::AddOurs(const FilterBuildingContext& context,
                                 List* list) const {
  const FoundKind kind = FoundKindOf(KindFor(*ours_, context));
  for (const LevelBits* bits :
       {level_bits_, &by_these_options_, &by_default_}) {
    list->push_back({kind, bits->BitsPerKey(*ours_, context, false)});
    // Level 0 also has what a load flushed, or a recovery.
    if (context.level_at_creation != 0) continue;
    list->push_back({kind, bits->BitsPerKey(*ours_, context, true)});
  }
}

FilterExpectations::List FilterExpectations::PossibleFor(
    const TableFilter& table, int level, int last_level) const {
  List list;
  const auto add_compaction = [&](int to) {
    Add(Compaction(to, /*is_bottommost=*/true), &list);
    // Level 0 has bottommost tables and others.
    if (to == 0 || to < last_level) Add(Compaction(to, false), &list);
  };
  add_compaction(level);
  if (level == 0) Add(Flush(), &list);
  if (IsOurs(table.kind)) {
    if (table.written_level < 0) Add(Ingestion(), &list);
    if (table.written_level == 0) Add(Flush(), &list);
    if (table.written_level >= 0) add_compaction(table.written_level);
    return list;
  }
  // Before RocksDB 7 the names of its own policies were one.
  const bool may_be_of_policy = table.policy_name == policy_->Name() ||
                                table.policy_name == kCompatibilityName;
  if (!may_be_of_policy) return list;
  if (table.is_flushed) {
    Add(Flush(), &list);
    return list;
  }
  Add(Ingestion(), &list);
  for (int from = 0; from < level; ++from) add_compaction(from);
  return list;
}

bool FilterExpectations::MayLackFilter(const TableFilter& table, int level,
                                       int last_level) const {
  // RocksDB stores the policy's name even in tables for which it, or the
  // policy, left the filter out.
  const bool has_policy = !table.policy_name.empty();
  // No key has a prefix.
  if (!table_options_.whole_key_filtering && has_policy) return true;
  if (options_.optimize_filters_for_hits &&
      (has_policy || level == last_level)) {
    return true;
  }
  if (who_ == Who::kOther) return table.policy_name == policy_->Name();
  List list;
  if (has_policy) {
    list = PossibleFor(table, level, last_level);
  } else {
    Add(Compaction(level, level >= last_level), &list);
  }
  return std::any_of(list.begin(), list.end(), [](const Written& written) {
    return written.bits_per_key == 0;
  });
}

Verdict FilterExpectations::Judge(const TableFilter& table, int level,
                                  int last_level) const {
  if (table.keys_to_filter() == 0) return Verdict::kAsExpected;
  level = std::max(level, 0);
  if (table.kind == FoundKind::kNone || table.kind == FoundKind::kNoKeys) {
    return who_ == Who::kNobody || MayLackFilter(table, level, last_level)
               ? Verdict::kAsExpected
               : Verdict::kMissing;
  }
  if (who_ == Who::kNobody) return Verdict::kUnwanted;
  if (who_ == Who::kOther) {
    return table.policy_name == policy_->Name() ? Verdict::kAsExpected
                                                : Verdict::kOtherKind;
  }
  Verdict verdict = Verdict::kUnwanted;
  for (const Written& written : PossibleFor(table, level, last_level)) {
    if (written.bits_per_key == 0) continue;
    if (verdict == Verdict::kUnwanted) verdict = Verdict::kOtherKind;
    if (!KindFits(table, written)) continue;
    if (SizeFits(table, written)) return Verdict::kAsExpected;
    verdict = Verdict::kOtherSize;
  }
  return verdict;
}

bool FilterExpectations::KindFits(const TableFilter& table,
                                  const Written& written) const {
  if (table.kind == written.kind) return true;
  if (IsOurs(table.kind) && IsOurs(written.kind)) {
    return static_cast<double>(8 * table.block_bytes) <
           kFewBitsPerKey * static_cast<double>(table.keys_to_filter());
  }
  return table.kind == FoundKind::kRocksDBBloom &&
         written.kind == FoundKind::kRocksDBRibbon &&
         table.block_bytes < kMixedBytes * table.blocks;
}

bool FilterExpectations::SizeFits(const TableFilter& table,
                                  const Written& written) const {
  if (table.asked_bits_per_key > 0 &&
      std::abs(table.asked_bits_per_key - written.bits_per_key) >
          kTrailerTolerance) {
    return false;
  }
  // Old versions of RocksDB do not record how many keys a filter has.
  return table.filter_keys == 0 || BytesFit(table, written);
}

bool FilterExpectations::BytesFit(const TableFilter& table,
                                  const Written& written) const {
  const uint64_t keys = table.filter_keys;
  double expected = BytesOf(written, keys, table.blocks);
  if (!table.is_partitioned()) expected = Limited(expected, keys);
  const bool is_rounded = table_options_.optimize_filters_for_memory;
  const double slack =
      kToleranceBytes * static_cast<double>(table.blocks) +
      expected * (is_rounded ? kAllocatorTolerance : kTolerance);
  double least = expected - slack, most = expected + slack;
  if (written.kind == FoundKind::kRocksDBRibbon &&
      table.block_bytes < kMixedBytes * table.blocks) {
    const double bloom = BytesOf(
        {FoundKind::kRocksDBBloom, written.bits_per_key}, keys, table.blocks);
    least = std::min(least, kRibbonShare * bloom - slack);
    most = std::max(most, bloom + slack);
  }
  // Partitions end with a data block, so they can have more keys than the limit
  // leaves bits for. Under a limit half as high they would be smaller.
  if (ours_.has_value() && ours_->max_filter_bytes.has_value() &&
      table.is_partitioned()) {
    const uint64_t limit = *ours_->max_filter_bytes;
    if (table.most_block_bytes > limit) return false;
    if (table.most_block_bytes > limit / 2) least = 0;
  }
  const auto bytes = static_cast<double>(table.block_bytes);
  return bytes >= least && bytes <= most;
}

double FilterExpectations::BytesOf(const Written& written, uint64_t keys,
                                   uint64_t blocks) const {
  blocks = std::max<uint64_t>(blocks, 1);
  const double in_block =
      std::max(static_cast<double>(keys) / static_cast<double>(blocks), 1.0);
  const double raw = written.bits_per_key * in_block / 8;
  double bytes = std::ceil(raw / kLineBytes) * kLineBytes +
                 (IsOurs(written.kind) ? kTrailerBytes : kRocksDBTrailerBytes);
  if (written.kind == FoundKind::kRocksDBRibbon) {
    const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
        policy_->GetBuilderWithContext(Ingestion()));
    // It knows how many keys fit into so many bytes.
    for (int i = 0; i < 3 && builder != nullptr; ++i) {
      bytes = std::max(bytes, double{kLineBytes});
      const size_t fit =
          builder->ApproximateNumEntries(static_cast<size_t>(bytes));
      bytes *= in_block / static_cast<double>(std::max<size_t>(fit, 1));
    }
  }
  return bytes * static_cast<double>(blocks);
}

double FilterExpectations::Limited(double bytes, uint64_t keys) const {
  if (!ours_.has_value() || !ours_->max_filter_bytes.has_value()) return bytes;
  const uint64_t limit = *ours_->max_filter_bytes;
  const size_t most = BlockBytesOf(LinesWithin(limit));
  if (bytes <= static_cast<double>(most)) return bytes;
  // A single line that matches every key.
  const bool is_left_out = 8 * most < keys;
  return static_cast<double>(is_left_out ? BlockBytesOf(1) : most);
}

ExpectedFilter FilterExpectations::At(int level, uint64_t keys,
                                      bool is_bottommost,
                                      uint64_t blocks) const {
  List list;
  Add(Compaction(level, is_bottommost), &list);
  if (list.empty()) return {FoundKind::kForeign};
  Written written = list.front();  // with what our policy has seen
  if (written.bits_per_key == 0) return {};
  const bool is_partitioned = table_options_.partition_filters;
  if (!is_partitioned) {
    blocks = 1;
  } else if (blocks == 0) {
    blocks = static_cast<uint64_t>(
        BytesOf(written, keys, 1) /
        std::max(1.0, static_cast<double>(table_options_.metadata_block_size)));
  }
  const auto bytes_of = [&](const Written& one) {
    const double bytes = BytesOf(one, keys, blocks);
    return is_partitioned ? bytes : Limited(bytes, keys);
  };
  ExpectedFilter expected;
  expected.kind = written.kind;
  expected.asked_bits_per_key = written.bits_per_key;
  expected.bytes = expected.most_bytes = bytes_of(written);
  if (!IsOurs(written.kind)) return expected;
  if (8 * expected.bytes < kMinRibbonBitsPerKey * static_cast<double>(keys)) {
    expected.kind = FoundKind::kBloom;
  }
  written.bits_per_key = std::max(written.bits_per_key, kMostBits);
  if (ours_->bits_by_level) expected.most_bytes = bytes_of(written);
  return expected;
}

}  // namespace oneline
