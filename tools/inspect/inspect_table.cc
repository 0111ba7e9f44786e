#include "tools/inspect/inspect_table.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "table/hash/key_hash.h"
#include "tools/sst/distinct_keys.h"
#include "tools/sst/filter_rate.h"
#include "tools/sst/filter_walk.h"
#include "tools/sst/filtered_keys.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

class Inspection {
 public:
  Inspection(SstReader* table, const InspectOptions& options,
             InspectedTable* result)
      : table_(*table),
        options_(options),
        result_(*result),
        keys_(table->properties()) {}

  absl::Status Run(const std::string& path, const EntryProgress& progress);

 private:
  absl::Status ReadBlocks();
  absl::Status ReadKeys(const EntryProgress& progress);
  void CountInLines(const DistinctKey& key);
  void CountInLine(size_t block, std::string_view entry);
  void Probe(const std::string& path);

  SstReader& table_;
  const InspectOptions& options_;
  InspectedTable& result_;
  const FilteredKeys keys_;
  // One of each for every block. For a block of RocksDB's the trailer has no
  // lines and the list is empty.
  std::vector<Trailer> trailers_;
  std::vector<std::vector<uint32_t>> keys_of_line_;
  // The partition in which the last prefix was counted.
  std::optional<size_t> prefix_partition_;
};

absl::Status Inspection::ReadBlocks() {
  const std::vector<DecodedBlock>& blocks = table_.decoded_blocks().list();
  for (const DecodedBlock& block : blocks) {
    if (!block.facts.has_value()) {
      return absl::DataLossError(
          blocks.size() == 1
              ? block.error
              : absl::StrCat("partition ", trailers_.size() + 1, " of ",
                             blocks.size(), ": ", block.error));
    }
    const std::optional<uint64_t> seed = block.facts->seed;
    if (seed.has_value() &&
        std::find(result_.seeds.begin(), result_.seeds.end(), *seed) ==
            result_.seeds.end()) {
      result_.seeds.push_back(*seed);
    }
    trailers_.push_back(block.facts->trailer.value_or(Trailer()));
    keys_of_line_.emplace_back(trailers_.back().num_lines);
    result_.lines += trailers_.back().num_lines;
  }
  result_.blocks = blocks.size();
  result_.partitioned = table_.partitioned();
  result_.filter_bytes = table_.decoded_blocks().bytes();
  // Of a filter without bytes, of which Describe says nothing.
  result_.kind = blocks[0].facts->kind;
  result_.fp_rate = FilterFpRate(table_.filter_blocks());
  table_.decoded_blocks().Describe(&result_);
  return absl::OkStatus();
}

void Inspection::CountInLine(size_t block, std::string_view entry) {
  const Trailer& trailer = trailers_[block];
  if (trailer.num_lines == 0) return;
  ++keys_of_line_[block]
                 [LineIndex(KeyHash(entry, trailer.seed), trailer.num_lines)];
}

// Each partition has a prefix once, however many of its keys begin with it, and
// a key that equals its prefix is one entry of the filter. Keys that do not
// pass are counted, too: to find them is the work of `verify`.
void Inspection::CountInLines(const DistinctKey& key) {
  const FilteredKeys::Entries& entries = key.entries;
  if (keys_.whole_keys()) CountInLine(key.partition, key.key);
  if (!entries.has_prefix) return;
  const std::string_view prefix = entries.view[entries.n - 1];
  const bool counted = key.repeats_prefix && prefix_partition_ == key.partition;
  prefix_partition_ = key.partition;
  if (counted || (keys_.whole_keys() && prefix == key.key)) return;
  CountInLine(key.partition, prefix);
}

absl::Status Inspection::ReadKeys(const EntryProgress& progress) {
  const absl::Status status =
      ForEachDistinctKey(table_, keys_, progress, [&](const DistinctKey& key) {
        CountInLines(key);
        return true;
      });
  if (!status.ok()) return status;
  for (const std::vector<uint32_t>& keys : keys_of_line_) {
    result_.keys_per_line.AddFilter(keys);
  }
  return absl::OkStatus();
}

// Looks random keys up in each partition, in proportion to its bytes. The keys
// have at least 8 bytes, so that none of them is in the table. They have at
// most 1024, because the properties of a damaged table may tell any length.
// Longer keys pass as often.
void Inspection::Probe(const std::string& path) {
  if (options_.probes == 0 || result_.filter_bytes == 0) return;
  constexpr uint64_t kMinKeyBytes = 8, kMaxKeyBytes = 1024;
  // Each table gets its own keys, by its file name: a database that was moved
  // gets the same ones.
  std::mt19937_64 random(KeyHash(
      std::filesystem::path(path).filename().string(), options_.probe_seed));
  const rocksdb::TableProperties& properties = table_.properties();
  // The mean length of internal keys, which are 8 bytes longer.
  const uint64_t length =
      properties.raw_key_size / std::max<uint64_t>(1, properties.num_entries);
  std::string key(std::clamp(length, kMinKeyBytes + 8, kMaxKeyBytes + 8) - 8,
                  '\0');
  uint64_t bytes = 0, probes = 0, passed = 0;
  for (const std::string& block : table_.filter_blocks()) {
    bytes += block.size();
    const auto end = static_cast<uint64_t>(
        static_cast<double>(options_.probes) * static_cast<double>(bytes) /
        static_cast<double>(result_.filter_bytes));
    const auto reader = NewFilterReader(block);
    for (; probes < end; ++probes) {
      for (char& c : key) c = static_cast<char>(random());
      passed += reader->MayMatch(key) ? 1 : 0;
    }
  }
  if (probes == 0) return;
  result_.probes = probes;
  result_.measured_fp_rate =
      static_cast<double>(passed) / static_cast<double>(probes);
}

absl::Status Inspection::Run(const std::string& path,
                             const EntryProgress& progress) {
  result_.keys = table_.num_entries();
  if (!table_.filter_status().ok()) return table_.filter_status();
  if (table_.filter_blocks().empty()) return absl::OkStatus();
  result_.filter_keys = table_.properties().num_filter_entries;
  absl::Status status = ReadBlocks();
  if (status.ok() && options_.lines) status = ReadKeys(progress);
  if (status.ok()) Probe(path);
  return status;
}

}  // namespace

const char* InspectedTable::FilterText() const {
  if (status.ok()) return NameOf(kind);
  if (absl::IsUnavailable(status)) return "unreadable";
  if (is_missing()) return "missing";
  if (!absl::IsUnimplemented(status)) return "damaged";
  return kind == FoundKind::kForeign ? NameOf(kind) : "other format";
}

InspectedTable InspectTable(const std::string& path,
                            const InspectOptions& options,
                            const EntryProgress& progress) {
  InspectedTable result;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(path);
  const absl::Status status =
      table.ok()
          ? Inspection(table->get(), options, &result).Run(path, progress)
          : table.status();
  if (status.ok()) return result;
  InspectedTable unread;
  unread.status = status;
  unread.keys = result.keys_to_filter();
  if (table.ok()) {
    unread.filter_bytes = (*table)->properties().filter_size;
    unread.kind = FoundKind::kForeign;
  }
  return unread;
}

}  // namespace oneline
