#include "filter_policy/refilter/expected_filter.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/level_filters.h"
#include "table/block/filter_block.h"
#include "table/block/kind_choice.h"
#include "table/block/line_count.h"

namespace oneline {
namespace {

using Reason = rocksdb::TableFileCreationReason;

// How much a size may differ: by this share of it, and by this many bytes for
// each block, which is rounded up to lines. With optimize_filters_for_memory
// filters are rounded to what the allocator of that program gave, by up to a
// third.
constexpr double kTolerance = 0.06;
constexpr double kOurTolerance = 0.02;  // of RocksDB's filters by our policies
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

// Those of a policy of oneline/level_filters.h, of which OPTIONS files have the
// same bits in all levels.
std::optional<FilterOptions> OptionsOfHeader(
    const rocksdb::FilterPolicy& policy) {
  FilterOptions options;
  options.kind = policy.Name() == std::string("oneline.LevelRibbon")
                     ? Kind::kRocksDBRibbon
                     : Kind::kRocksDBBloom;
  if (std::string(policy.Name()).rfind(kHeaderNames, 0) != 0 ||
      std::sscanf(policy.GetPrintableOptions().c_str(),
                  "bits_per_key=%lf;hits=%lf", &options.bits_per_key.emplace(),
                  &options.hits) != 2) {
    return std::nullopt;
  }
  return options;
}

// The options of RocksDB's own policy, by its text, such as "bloomfilter:10" or
// "ribbonfilter:10:2", which begins with its name. (Policies around them may
// have either, and not both.)
std::optional<FilterOptions> OptionsOfRocksDBs(
    const rocksdb::FilterPolicy& policy) {
  const std::string text = policy.GetId(), name = policy.Name();
  FilterOptions options;
  options.kind =
      name == "bloomfilter" ? Kind::kRocksDBBloom : Kind::kRocksDBRibbon;
  if ((name != "bloomfilter" && name != "ribbonfilter") ||
      text.rfind(name + ":", 0) != 0) {
    return std::nullopt;
  }
  char* end = nullptr;
  options.bits_per_key = std::strtod(&text[text.find(':') + 1], &end);
  options.bits_by_level = false;
  const int64_t level = *end == ':' ? std::strtol(end + 1, nullptr, 10) : 0;
  options.bloom_before_level = static_cast<int>(level);
  if (level == INT_MAX) options.kind = Kind::kRocksDBBloom;
  return options;
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
      options_(options),
      table_options_(table_options) {
  by_these_options_.ObserveOptions(options);
  level_bits_ = &by_these_options_;
  if (policy_ == nullptr) return;
  rule_ = OptionsOf(*policy_);
  if (!rule_.has_value()) rule_ = OptionsOfHeader(*policy_);
  is_ours_ = rule_.has_value();
  const LevelBits* const seen = LevelBitsOf(*policy_);
  if (seen != nullptr) level_bits_ = seen;
  if (!is_ours_) rule_ = OptionsOfRocksDBs(*policy_);
}

void FilterExpectations::Add(Reason reason, int level, bool is_bottommost,
                             List* list) const {
  if (!rule_.has_value()) return;
  rocksdb::FilterBuildingContext context(table_options_);
  context.compaction_style = options_.compaction_style;
  context.num_levels = options_.num_levels;
  context.reason = reason;
  context.level_at_creation = level;
  context.is_bottommost = is_bottommost;
  FoundKind kind = FoundKindOf(KindFor(*rule_, context));
  // RocksDB's Ribbon policy writes no old ones before its level.
  if (kind == FoundKind::kRocksDBBloom && table_options_.format_version < 5 &&
      (is_ours_ || rule_->kind == Kind::kRocksDBBloom)) {
    kind = FoundKind::kRocksDBOldBloom;
  }
  const auto add = [&](double bits) {
    list->push_back({kind, WrittenBits(kind, bits)});
  };
  for (const LevelBits* bits :
       {level_bits_, &by_these_options_, &by_default_}) {
    add(bits->BitsPerKey(*rule_, context, false));
    // Level 0 also has what a load flushed, or a recovery.
    if (level == 0) add(bits->BitsPerKey(*rule_, context, true));
  }
}

double FilterExpectations::WrittenBits(FoundKind kind,
                                       double bits_per_key) const {
  if (kind == FoundKind::kRocksDBOldBloom) return std::round(bits_per_key);
  return is_ours_ && kind == FoundKind::kRocksDBRibbon ? BloomBits(bits_per_key)
                                                       : bits_per_key;
}

FilterExpectations::List FilterExpectations::PossibleFor(
    const TableFilter& table, int level, int last_level) const {
  List list;
  // RocksDB stores the policy's name even in tables for which it, or the
  // policy, left the filter out: no key has a prefix, or it is the last level.
  const bool has_policy = !table.policy_name.empty();
  if ((!table_options_.whole_key_filtering && has_policy) ||
      (options_.optimize_filters_for_hits &&
       (has_policy || level == last_level))) {
    list.push_back({});
  }
  const auto add_compaction = [&](int to) {
    // A program without the policy left a table as it is in its level.
    if (table.has_filter() || has_policy || to >= last_level) {
      Add(Reason::kCompaction, to, true, &list);
    }
    // Level 0 has bottommost tables and others.
    if (to == 0 || to < last_level) Add(Reason::kCompaction, to, false, &list);
  };
  const auto add_flush = [&] { Add(Reason::kFlush, 0, false, &list); };
  const auto add_ingestion = [&] { Add(Reason::kMisc, -1, false, &list); };
  add_compaction(level);
  if (level == 0) add_flush();
  if (IsOurs(table.kind)) {
    if (table.written_level < 0) add_ingestion();
    if (table.written_level == 0) add_flush();
    if (table.written_level >= 0) add_compaction(table.written_level);
    return list;
  }
  // Before RocksDB 7 the names of its own policies were one.
  const bool is_its_own = is_ours_
                              ? IsOurPolicy(table.policy_name)
                              : table.policy_name == policy_->Name() ||
                                    table.policy_name == kCompatibilityName;
  if (!is_its_own) return list;
  if (table.is_flushed) {
    add_flush();
    return list;
  }
  add_ingestion();
  for (int from = 0; from < level; ++from) add_compaction(from);
  return list;
}

Verdict FilterExpectations::Judge(const TableFilter& table, int level,
                                  int last_level) const {
  if (table.keys_to_filter() == 0) return Verdict::kAsExpected;
  const bool has_filter = table.has_filter();
  if (policy_ == nullptr) {
    return has_filter ? Verdict::kUnwanted : Verdict::kAsExpected;
  }
  if (!rule_.has_value() && table.policy_name == policy_->Name()) {
    return Verdict::kAsExpected;
  }
  Verdict verdict = !has_filter         ? Verdict::kMissing
                    : rule_.has_value() ? Verdict::kUnwanted
                                        : Verdict::kOtherKind;
  for (const Written& written :
       PossibleFor(table, std::max(level, 0), last_level)) {
    const bool is_filter = written.bits_per_key > 0;
    if (!has_filter && !is_filter) return Verdict::kAsExpected;
    if (!has_filter || !is_filter) continue;
    if (verdict == Verdict::kUnwanted) verdict = Verdict::kOtherKind;
    if (!KindFits(table, written)) continue;
    if (SizeFits(table, written) ||
        (!is_ours_ && IsOurPolicy(table.policy_name))) {
      return Verdict::kAsExpected;
    }
    verdict = Verdict::kOtherSize;
  }
  return verdict;
}

bool FilterExpectations::KindFits(const TableFilter& table,
                                  const Written& written) const {
  if (table.kind == written.kind) return true;
  if (IsOurs(table.kind) && IsOurs(written.kind)) {
    return 8 * table.block_bytes < kFewBitsPerKey * table.keys_to_filter();
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
  const uint64_t keys = table.filter_keys;
  if (keys == 0) return true;
  const uint64_t partitions = table.is_partitioned() ? table.blocks : 0;
  const double expected = BytesOf(written, keys, partitions);
  const double slack =
      kToleranceBytes * table.blocks +
      expected * (table_options_.optimize_filters_for_memory
                      ? kAllocatorTolerance
                  : is_ours_ && !IsOurs(written.kind) ? kOurTolerance
                                                      : kTolerance);
  double least = expected - slack, most = expected + slack;
  if (written.kind == FoundKind::kRocksDBRibbon &&
      table.block_bytes < kMixedBytes * table.blocks) {
    const double bloom = BytesOf(
        {FoundKind::kRocksDBBloom, written.bits_per_key}, keys, partitions);
    least = std::min(least, kRibbonShare * bloom - slack);
    most = std::max(most, bloom + slack);
  }
  // Partitions end with a data block, so they can have more keys than the limit
  // leaves bits for. Under a limit half as high they would be smaller.
  if (rule_->max_filter_bytes.has_value() && partitions > 0) {
    const uint64_t limit = *rule_->max_filter_bytes;
    if (table.most_block_bytes > limit) return false;
    if (table.most_block_bytes > limit / 2) least = 0;
  }
  const double bytes = table.block_bytes;
  return bytes >= least && bytes <= most;
}

double FilterExpectations::BytesOf(const Written& written, uint64_t keys,
                                   uint64_t partitions) const {
  const double blocks = std::max<uint64_t>(partitions, 1);
  const double in_block = std::max(keys / blocks, 1.0);
  double bytes =
      std::ceil(written.bits_per_key * in_block / 8 / kLineBytes) * kLineBytes +
      (IsOurs(written.kind) ? kTrailerBytes : kRocksDBTrailerBytes);
  if (written.kind == FoundKind::kRocksDBRibbon) {
    const BuiltinsStay stay;
    const Builtin policy(
        rocksdb::NewRibbonFilterPolicy(written.bits_per_key, -1));
    rocksdb::FilterBuildingContext context(table_options_);
    const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
        policy->GetBuilderWithContext(context));
    // It knows how many keys fit into so many bytes.
    for (int i = 0; i < 3 && builder != nullptr; ++i) {
      bytes = std::max(bytes, double{kLineBytes});
      const size_t fit =
          builder->ApproximateNumEntries(static_cast<size_t>(bytes));
      bytes *= in_block / std::max<size_t>(fit, 1);
    }
  }
  if (partitions > 0 || !rule_->max_filter_bytes.has_value()) {
    return blocks * bytes;
  }
  const size_t most = BlockBytesOf(LinesWithin(*rule_->max_filter_bytes));
  if (bytes <= most) return bytes;
  // With less than a bit per key, a single line that matches every key.
  return 8 * most < keys ? BlockBytesOf(1) : most;
}

ExpectedFilter FilterExpectations::At(int level, const TableFilter& table,
                                      bool is_bottommost) const {
  List list;
  Add(Reason::kCompaction, level, is_bottommost, &list);
  if (policy_ == nullptr) return {};
  const double now = table.filter_bytes;
  if (list.empty()) return {FoundKind::kForeign, now, now};
  Written written = list.front();  // with what our policy has seen
  if (written.bits_per_key == 0) return {};
  const uint64_t keys = std::max<uint64_t>(table.keys_to_filter(), 1);
  uint64_t partitions = 0;
  double index_bytes = 0;
  if (table_options_.partition_filters && table.is_partitioned()) {
    partitions = table.blocks;
    index_bytes = now - table.block_bytes;
  } else if (table_options_.partition_filters) {
    partitions = static_cast<uint64_t>(std::max(
        1.0,
        BytesOf(written, keys, 1) / (table_options_.metadata_block_size + 1)));
  }
  ExpectedFilter expected;
  expected.kind = written.kind;
  expected.bytes = BytesOf(written, keys, partitions) + index_bytes;
  if (IsOurs(written.kind) &&
      8 * expected.bytes < kMinRibbonBitsPerKey * keys) {
    expected.kind = FoundKind::kBloom;
  }
  if (rule_->bits_by_level) {
    written.bits_per_key =
        std::max(written.bits_per_key,
                 WrittenBits(written.kind, RuleFor(*rule_, 0).most_bits));
  }
  expected.most_bytes = BytesOf(written, keys, partitions) + index_bytes;
  return expected;
}

}  // namespace oneline
