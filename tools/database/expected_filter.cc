#include "tools/database/expected_filter.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/bits_per_key.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/block/filter_block.h"
#include "table/block/kind_choice.h"
#include "tools/sst/filter_facts.h"

namespace oneline {
namespace {

using rocksdb::TableFileCreationReason;

// Filters of more keys are not built; their size is extrapolated. From here on
// all kinds grow in proportion to their keys, RocksDB's Ribbon by 0.5 % more
// for each doubling.
constexpr uint64_t kMaxSampleKeys = 20000;

// How much a size may differ: by this share of it, and by this many bytes for
// each partition, which is rounded up to lines and has an entry in an index.
// With optimize_filters_for_memory filters are rounded to what the allocator of
// that program gave, RocksDB's up to a quarter more or less, ours up to a third
// more or a quarter less. Ours say what they were rounded from.
constexpr double kTolerance = 0.06;
constexpr double kAllocatorTolerance = 0.34;
constexpr double kToleranceBytes = 128;

// Below this a filter may be Bloom although the options say Ribbon. Somewhat
// above kMinRibbonBitsPerKey, as the trailer and the partitions' index count,
// too.
constexpr double kFewBitsPerKey = 1.15 * kMinRibbonBitsPerKey;

double ToleranceOf(const rocksdb::BlockBasedTableOptions& options,
                   bool is_rounded, double bytes) {
  const double partitions =
      options.partition_filters
          ? 1 + bytes / static_cast<double>(options.metadata_block_size)
          : 1;
  return kToleranceBytes * partitions +
         bytes * (is_rounded ? kAllocatorTolerance : kTolerance);
}

rocksdb::BlockBasedTableOptions WithoutRounding(
    rocksdb::BlockBasedTableOptions options) {
  options.optimize_filters_for_memory = false;
  return options;
}

bool IsOurs(const std::string& kind) {
  return kind == "ribbon" || kind == "bloom";
}

// Whether a Ribbon policy may have written a Bloom filter, as there are too few
// bits for a Ribbon.
bool AreFewBits(double filter_bytes, const TableSummary& table) {
  return 8 * filter_bytes <
         kFewBitsPerKey * static_cast<double>(table.filter_keys);
}

}  // namespace

FilterExpectations::FilterExpectations(
    const ConfiguredPolicy& configured, const std::string& column_family,
    const rocksdb::ColumnFamilyOptions& options,
    const rocksdb::BlockBasedTableOptions& table_options)
    : policy_(configured.policy),
      may_have_more_(
          configured.options.has_value() && configured.options->bits_by_level &&
          configured.options->level_bits_per_key.empty() &&
          (options.compaction_style == rocksdb::kCompactionStyleLevel ||
           options.compaction_style == rocksdb::kCompactionStyleUniversal)),
      column_family_(column_family),
      options_(options),
      table_options_(WithoutRounding(table_options)),
      is_rounded_(table_options.optimize_filters_for_memory),
      max_filter_bytes_(configured.options.has_value()
                            ? configured.options->max_filter_bytes
                            : std::nullopt) {}

double FilterExpectations::MostBits(double asked) const {
  return may_have_more_ ? BitsByLevel(asked, kMostBits) : asked;
}

double FilterExpectations::Limited(double bytes, uint64_t keys) const {
  // Partitions are cut so that they keep to it.
  if (!max_filter_bytes_.has_value() || table_options_.partition_filters) {
    return bytes;
  }
  const auto most = static_cast<double>(*max_filter_bytes_);
  if (bytes <= most) return bytes;
  const bool left_out = 8 * most < static_cast<double>(keys);
  return left_out ? kLineBytes + kTrailerBytes : most;
}

ExpectedFilter FilterExpectations::Build(const Origin& origin,
                                         uint64_t keys) const {
  rocksdb::FilterBuildingContext context(table_options_);
  context.column_family_name = column_family_;
  context.compaction_style = options_.compaction_style;
  context.num_levels = options_.num_levels;
  context.reason = origin.first;
  context.level_at_creation = origin.second;
  // The fewest bits that a table of this level gets.
  context.is_bottommost = true;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      policy_->GetBuilderWithContext(context));
  if (builder == nullptr) return {kNoFilter};
  uint64_t in_block = keys;
  if (table_options_.partition_filters) {
    const uint64_t max_in_block =
        builder->ApproximateNumEntries(table_options_.metadata_block_size);
    in_block = std::clamp<uint64_t>(max_in_block, 1, keys);
  }
  for (uint64_t i = 0; i < in_block; ++i) {
    builder->AddKey(absl::StrCat("key", i));
  }
  std::unique_ptr<const char[]> owner;
  const rocksdb::Slice block = builder->Finish(&owner);
  const absl::StatusOr<FilterFacts> facts =
      FactsOf({block.data(), block.size()});
  ExpectedFilter expected;
  expected.kind = facts.ok() ? facts->kind : kForeignFilter;
  expected.bytes = static_cast<double>(block.size()) *
                   static_cast<double>(keys) / static_cast<double>(in_block);
  if (facts.ok() && facts->trailer.has_value()) {
    expected.asked_bits_per_key = facts->trailer->asked_bits_per_key;
  }
  return expected;
}

ExpectedFilter FilterExpectations::Expect(const Origin& origin, uint64_t keys) {
  const uint64_t sample = std::min(keys, kMaxSampleKeys);
  const auto [found, is_new] = built_.try_emplace({origin, sample});
  if (is_new) found->second = Build(origin, sample);
  ExpectedFilter expected = found->second;
  const double bytes =
      expected.bytes * static_cast<double>(keys) / static_cast<double>(sample);
  const double asked = expected.asked_bits_per_key;
  expected.bytes = Limited(bytes, keys);
  expected.most_bytes = asked > 0
                            ? Limited(bytes * MostBits(asked) / asked, keys)
                            : expected.bytes;
  return expected;
}

ExpectedFilter FilterExpectations::At(int level, uint64_t keys) {
  return Expect({TableFileCreationReason::kCompaction, level}, keys);
}

Verdict FilterExpectations::Compare(const TableSummary& table,
                                    const ExpectedFilter& expected) const {
  if (table.kind == kNoFilter) {
    return expected.kind == kNoFilter ? Verdict::kAsExpected
                                      : Verdict::kMissing;
  }
  if (expected.kind == kNoFilter) return Verdict::kUnwanted;
  if (table.kind != expected.kind) {
    // Other bits than those expected may have changed which kind is better.
    const bool may_differ =
        IsOurs(table.kind) && IsOurs(expected.kind) &&
        (((is_rounded_ || max_filter_bytes_.has_value()) &&
          AreFewBits(static_cast<double>(table.filter_bytes), table)) ||
         (may_have_more_ && AreFewBits(expected.bytes, table)));
    if (!may_differ) return Verdict::kOtherKind;
  }
  // Old versions of RocksDB do not record how many keys a filter has.
  if (table.filter_keys == 0) return Verdict::kAsExpected;
  const double asked = expected.asked_bits_per_key;
  if (is_rounded_ && table.asked_bits_per_key > 0 &&
      (table.asked_bits_per_key < (1 - kTolerance) * asked ||
       table.asked_bits_per_key > (1 + kTolerance) * MostBits(asked))) {
    return Verdict::kOtherSize;
  }
  const double bytes = static_cast<double>(table.filter_bytes);
  const auto tolerance = [this](double size) {
    return ToleranceOf(table_options_, is_rounded_, size);
  };
  const bool fits =
      bytes >= expected.bytes - tolerance(expected.bytes) &&
      bytes <= expected.most_bytes + tolerance(expected.most_bytes);
  return fits ? Verdict::kAsExpected : Verdict::kOtherSize;
}

Verdict FilterExpectations::Judge(const TableSummary& table) {
  const uint64_t keys = table.keys_to_filter();
  if (keys == 0) return Verdict::kAsExpected;
  const int level = std::max(table.file.level, 0);
  const Verdict here = Compare(
      table, Expect({TableFileCreationReason::kCompaction, level}, keys));
  if (here == Verdict::kAsExpected) return here;
  std::vector<Origin> others = {{TableFileCreationReason::kFlush, 0},
                                {TableFileCreationReason::kMisc, -1}};
  for (int above = 0; above < level; ++above) {
    others.emplace_back(TableFileCreationReason::kCompaction, above);
  }
  for (const Origin& origin : others) {
    if (Compare(table, Expect(origin, keys)) == Verdict::kAsExpected) {
      return Verdict::kAsExpected;
    }
  }
  return here;
}

}  // namespace oneline
