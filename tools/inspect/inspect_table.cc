#include "tools/inspect/inspect_table.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "table/hash/key_hash.h"
#include "tools/sst/filter_rate.h"
#include "tools/sst/filter_walk.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

absl::Status ReadBlocks(SstReader& table, InspectedTable* result) {
  const std::vector<DecodedBlock>& blocks = table.decoded_blocks().list();
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].facts.has_value()) {
      return absl::DataLossError(blocks.size() == 1
                                     ? blocks[i].error
                                     : absl::StrCat("partition ", i + 1, " of ",
                                                    blocks.size(), ": ",
                                                    blocks[i].error));
    }
    const std::optional<uint64_t> seed = blocks[i].facts->seed;
    if (seed.has_value() &&
        std::find(result->seeds.begin(), result->seeds.end(), *seed) ==
            result->seeds.end()) {
      result->seeds.push_back(*seed);
    }
    result->lines += blocks[i].facts->trailer.value_or(Trailer()).num_lines;
  }
  result->blocks = blocks.size();
  result->partitioned = table.partitioned();
  result->filter_bytes = table.decoded_blocks().bytes();
  // Of a filter without bytes, of which Describe says nothing.
  result->kind = blocks[0].facts->kind;
  result->fp_rate = FilterFpRate(table.filter_blocks());
  table.decoded_blocks().Describe(result);
  return absl::OkStatus();
}

// Looks random keys up in each partition, in proportion to its bytes. The keys
// have at least 8 bytes, so that none of them is in the table. They have at
// most 1024, because the properties of a damaged table may tell any length.
// Longer keys pass as often.
void Probe(const std::string& path, const InspectOptions& options,
           SstReader& table, InspectedTable* result) {
  if (options.probes == 0 || result->filter_bytes == 0) return;
  constexpr uint64_t kMinKeyBytes = 8, kMaxKeyBytes = 1024;
  // Each table gets its own keys, by its file name: a database that was moved
  // gets the same ones.
  std::mt19937_64 random(KeyHash(
      std::filesystem::path(path).filename().string(), options.probe_seed));
  const rocksdb::TableProperties& properties = table.properties();
  // The mean length of internal keys, which are 8 bytes longer.
  const uint64_t length =
      properties.raw_key_size / std::max<uint64_t>(1, properties.num_entries);
  std::string key(std::clamp(length, kMinKeyBytes + 8, kMaxKeyBytes + 8) - 8,
                  '\0');
  uint64_t bytes = 0, probes = 0, passed = 0;
  for (const std::string& block : table.filter_blocks()) {
    bytes += block.size();
    const auto end = static_cast<uint64_t>(1.0 * options.probes * bytes /
                                           result->filter_bytes);
    const auto reader = NewFilterReader(block);
    for (; probes < end; ++probes) {
      for (char& c : key) c = static_cast<char>(random());
      passed += reader->MayMatch(key) ? 1 : 0;
    }
  }
  if (probes == 0) return;
  result->probes = probes;
  result->measured_fp_rate = 1.0 * passed / probes;
}

absl::Status Inspect(const std::string& path, const InspectOptions& options,
                     SstReader& table, InspectedTable* result) {
  result->keys = table.num_entries();
  if (!table.filter_status().ok()) return table.filter_status();
  if (table.filter_blocks().empty()) return absl::OkStatus();
  result->filter_keys = table.properties().num_filter_entries;
  const absl::Status status = ReadBlocks(table, result);
  if (status.ok()) Probe(path, options, table, result);
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
                            const InspectOptions& options) {
  InspectedTable result;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(path);
  const absl::Status status =
      table.ok() ? Inspect(path, options, **table, &result) : table.status();
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
