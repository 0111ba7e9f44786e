#include "tools/inspect/inspect_table.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"
#include "tools/sst/filter_facts.h"
#include "tools/sst/filter_walk.h"
#include "tools/sst/filtered_keys.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

using Progress = std::function<void(uint64_t, uint64_t)>;

constexpr uint64_t kEntriesBetweenProgress = 1 << 14;

std::string Text(const absl::Status& status) {
  return std::string(status.message());
}

// The lengths of a table's keys: of some of them, so that those of random keys
// are distributed alike.
class KeyLengths {
 public:
  void Add(size_t length) {
    if (seen_++ % stride_ != 0) return;
    lengths_.push_back(length);
    if (lengths_.size() < kMost) return;
    // Every second of them stays, and every second is taken from now on.
    for (size_t i = 0; i < kMost / 2; ++i) lengths_[i] = lengths_[2 * i];
    lengths_.resize(kMost / 2);
    stride_ *= 2;
  }

  template <typename Random>
  size_t Draw(Random& random) const {
    return lengths_.empty() ? 0 : lengths_[random() % lengths_.size()];
  }

 private:
  static constexpr size_t kMost = 4096;

  std::vector<size_t> lengths_;
  uint64_t stride_ = 1;
  uint64_t seen_ = 0;
};

class Inspection {
 public:
  Inspection(SstReader* table, const InspectOptions& options,
             InspectedTable* result)
      : table_(*table),
        options_(options),
        result_(*result),
        keys_(table->properties()) {}

  absl::Status Run(const std::string& path, const Progress& progress);

 private:
  absl::Status ReadBlocks();
  absl::Status ReadKeys(const Progress& progress);
  void CountInLine(size_t block, std::string_view key);
  void Probe(const std::string& path);

  SstReader& table_;
  const InspectOptions& options_;
  InspectedTable& result_;
  const FilteredKeys keys_;
  KeyLengths lengths_;
  // For each of our blocks, by lines; empty for others.
  std::vector<Trailer> trailers_;
  std::vector<std::vector<uint32_t>> keys_of_line_;
};

absl::Status Inspection::ReadBlocks() {
  const std::vector<std::string>& blocks = table_.filter_blocks();
  size_t largest = 0;
  double passing = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const absl::StatusOr<FilterFacts> facts = FactsOf(blocks[i]);
    if (!facts.ok()) {
      return absl::DataLossError(blocks.size() == 1
                                     ? Text(facts.status())
                                     : absl::StrCat("partition ", i + 1, " of ",
                                                    blocks.size(), ": ",
                                                    Text(facts.status())));
    }
    if (blocks[i].size() >= largest) result_.filter = facts->kind;
    largest = std::max(largest, blocks[i].size());
    passing += facts->fp_rate * static_cast<double>(blocks[i].size());
    result_.filter_bytes += blocks[i].size();
    if (facts->seed.has_value() &&
        std::find(result_.seeds.begin(), result_.seeds.end(), *facts->seed) ==
            result_.seeds.end()) {
      result_.seeds.push_back(*facts->seed);
    }
    trailers_.push_back(facts->trailer.value_or(Trailer()));
    keys_of_line_.emplace_back(trailers_.back().num_lines);
    result_.lines += trailers_.back().num_lines;
  }
  result_.blocks = blocks.size();
  result_.partitioned = table_.partitioned();
  result_.predicted_fp_rate = passing / static_cast<double>(std::max<uint64_t>(
                                            1, result_.filter_bytes));
  return absl::OkStatus();
}

void Inspection::CountInLine(size_t block, std::string_view key) {
  const Trailer& trailer = trailers_[block];
  if (trailer.num_lines == 0) return;
  ++keys_of_line_[block]
                 [LineIndex(KeyHash(key, trailer.seed), trailer.num_lines)];
}

// Counts what a filter was given once for each line: a key that has many
// versions, or a prefix that has many keys, once for each partition.
absl::Status Inspection::ReadKeys(const Progress& progress) {
  FilterWalk walk(table_.filter_blocks(), keys_);
  std::string last_key, last_prefix;
  size_t last_partition = table_.filter_blocks().size();
  bool has_prefix = false;
  uint64_t unreported = 0;
  const absl::Status status = table_.ForEachEntry([&](std::string_view key) {
    if (++unreported == kEntriesBetweenProgress) {
      progress(unreported, table_.num_entries());
      unreported = 0;
    }
    const bool first = last_partition == table_.filter_blocks().size();
    if (!first && key == last_key) return true;
    last_key = key;
    lengths_.Add(key.size());
    const FilteredKeys::Entries entries = keys_.Of(key);
    // A key that is missing is for `verify` to find.
    walk.MayMatch(entries);
    if (walk.partition() != last_partition) has_prefix = false;
    last_partition = walk.partition();
    for (size_t i = 0; i < entries.n; ++i) {
      const bool is_prefix = entries.has_prefix && i + 1 == entries.n;
      if (is_prefix) {
        if (has_prefix && last_prefix == entries.view[i]) continue;
        // The key is its own prefix.
        if (i > 0 && entries.view[i] == entries.view[0]) continue;
        has_prefix = true;
        last_prefix = entries.view[i];
      }
      CountInLine(walk.partition(), entries.view[i]);
    }
    return true;
  });
  progress(unreported, table_.num_entries());
  if (!status.ok()) return status;
  for (const std::vector<uint32_t>& keys : keys_of_line_) {
    result_.keys_per_line.AddFilter(keys);
  }
  return absl::OkStatus();
}

// Asks each partition for as many keys as its part of the bytes. The keys are
// at least 8 bytes long, so that they are not in the table.
void Inspection::Probe(const std::string& path) {
  if (options_.probes == 0) return;
  constexpr size_t kLeastBytes = 8;
  // Other keys for each table, the same wherever the database lies.
  std::mt19937_64 random(KeyHash(
      std::filesystem::path(path).filename().string(), options_.probe_seed));
  const rocksdb::TableProperties& properties = table_.properties();
  const size_t mean_length =
      properties.num_entries == 0
          ? 0
          : properties.raw_key_size / properties.num_entries;
  std::string key;
  uint64_t bytes = 0, probes = 0, passed = 0;
  for (const std::string& block : table_.filter_blocks()) {
    bytes += block.size();
    const auto end = static_cast<uint64_t>(
        static_cast<double>(options_.probes) * static_cast<double>(bytes) /
        static_cast<double>(result_.filter_bytes));
    const FilterReader reader(block);
    for (; probes < end; ++probes) {
      // Internal keys, of which the mean is, are 8 bytes longer.
      const size_t length =
          options_.lines ? lengths_.Draw(random)
                         : mean_length - std::min<size_t>(mean_length, 8);
      key.resize(std::max(length, kLeastBytes));
      for (char& c : key) c = static_cast<char>(random());
      passed += reader.MayMatch(key) ? 1 : 0;
    }
  }
  if (probes == 0) return;
  result_.probes = probes;
  result_.measured_fp_rate =
      static_cast<double>(passed) / static_cast<double>(probes);
}

absl::Status Inspection::Run(const std::string& path,
                             const Progress& progress) {
  result_.keys = table_.num_entries();
  if (!table_.filter_status().ok()) return table_.filter_status();
  if (table_.filter_blocks().empty()) return absl::OkStatus();
  if (table_.properties().num_filter_entries > 0) {
    result_.keys = table_.properties().num_filter_entries;
  }
  absl::Status status = ReadBlocks();
  if (status.ok() && options_.lines) status = ReadKeys(progress);
  if (status.ok()) Probe(path);
  return status;
}

std::string WithoutFacts(const absl::Status& status, bool opened) {
  if (absl::IsUnimplemented(status)) return opened ? "unknown" : "other format";
  return absl::IsNotFound(status) ? "missing" : "damaged";
}

}  // namespace

InspectedTable InspectTable(const std::string& path,
                            const InspectOptions& options,
                            const Progress& progress) {
  InspectedTable result;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(path);
  absl::Status status = table.status();
  if (status.ok()) {
    status = Inspection(table->get(), options, &result).Run(path, progress);
  }
  if (status.ok()) return result;
  InspectedTable wrong;
  wrong.keys = result.keys;
  if (table.ok()) wrong.filter_bytes = (*table)->properties().filter_size;
  wrong.filter = WithoutFacts(status, table.ok());
  wrong.message = Text(status);
  return wrong;
}

}  // namespace oneline
