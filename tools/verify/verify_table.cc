#include "tools/verify/verify_table.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "tools/sst/filter_walk.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

// A trailer's num_keys for this many keys or more.
constexpr uint32_t kManyKeys = ~uint32_t{0};

// At most kMaxBytes of the key, unprintable ones in hex.
std::string KeyText(std::string_view key) {
  constexpr size_t kMaxBytes = 64;
  const absl::string_view shown(key.data(), std::min(key.size(), kMaxBytes));
  return absl::StrCat("'", absl::CHexEscape(shown), "'",
                      key.size() > kMaxBytes
                          ? absl::StrCat("... of ", key.size(), " bytes")
                          : "");
}

// Compares the size of a file with what the MANIFEST says, if it says anything.
absl::Status CheckSize(const TableFile& file) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(file.path, error);
  if (file.level < 0 || error || bytes == file.bytes) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("has ", bytes,
                                          " bytes, but the MANIFEST says ",
                                          file.bytes, ": it is another table"));
}

// Compares the first or last key, `which`, with what the MANIFEST says.
absl::Status CheckKey(const TableFile& file, const SstReader& table,
                      const char* which, std::string_view key,
                      std::string_view expected) {
  // With a comparator that is not known, the key has its timestamp.
  if (expected.size() == key.size() + table.timestamp_bytes()) {
    expected.remove_suffix(table.timestamp_bytes());
  }
  // The range of the MANIFEST includes range deletions.
  const bool is_known =
      file.level >= 0 && table.properties().num_range_deletions == 0;
  if (!is_known || key == expected) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "the ", which, " key is ", KeyText(key), ", but the MANIFEST says ",
      KeyText(expected), ": it is another table"));
}

absl::Status CheckFirstKey(const TableFile& file, const SstReader& table,
                           std::string_view key) {
  return CheckKey(file, table, "first", key, file.smallest_key);
}

// "partition 3 of 8 of the filter", or "the filter".
std::string BlockText(const SstReader& table, size_t block) {
  return table.partitioned()
             ? absl::StrCat("partition ", block + 1, " of ",
                            table.filter_blocks().size(), " of the filter")
             : "the filter";
}

// Each is a block that readers know, and all have as many keys as the filter's
// builder reported, which RocksDB writes into the table's properties.
absl::Status CheckBlocks(const SstReader& table, VerifiedTable* result) {
  uint64_t keys = 0;
  // False if a block is not ours, or has more keys than its trailer can count.
  bool all_tell = true;
  for (const DecodedBlock& block : table.decoded_blocks().list()) {
    if (!block.facts.has_value()) {
      return absl::DataLossError(
          absl::StrCat(BlockText(table, result->blocks), ": ", block.error));
    }
    const std::optional<Trailer>& trailer = block.facts->trailer;
    if (!trailer.has_value() || trailer->num_keys == kManyKeys) {
      all_tell = false;
    } else {
      keys += trailer->num_keys;
    }
    ++result->blocks;
  }
  if (table.partitioned()) result->partitions = result->blocks;
  const uint64_t given = table.properties().num_filter_entries;
  if (!all_tell || given == 0 || given == keys) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("the filter has ", keys,
                   " keys, but the table's properties say ", given));
}

// Looks up each distinct key, deleted ones included.
absl::Status CheckKeys(const TableFile& file, SstReader& table,
                       FilterWalk* walk, const EntryProgress& progress,
                       VerifiedTable* result) {
  // As many entries as take about so many bytes of the file.
  constexpr uint64_t kBytesPerProgress = 256 << 10;
  const uint64_t entries_per_progress =
      table.num_entries() / (file.bytes / kBytesPerProgress + 1) + 1;
  absl::Status wrong;
  std::optional<std::string> last, last_prefix;
  uint64_t unreported = 0;
  const absl::Status read = table.ForEachEntry([&](std::string_view key) {
    if (++unreported == entries_per_progress) {
      progress(unreported, table.num_entries());
      unreported = 0;
    }
    if (last == key) return true;  // versions of a key follow one another
    if (result->keys == 0) wrong = CheckFirstKey(file, table, key);
    if (wrong.ok() && !walk->MayMatch(key)) {
      wrong = absl::DataLossError(
          absl::StrCat("the key ", KeyText(key), " does not pass ",
                       BlockText(table, walk->partition()),
                       table.partitioned() ? " nor the next" : ""));
    }
    if (!wrong.ok()) return false;
    last = key;
    ++result->keys;
    const std::optional<std::string_view> prefix = walk->PrefixOf(key);
    if (prefix.has_value() && last_prefix != prefix) {
      last_prefix = prefix;
      ++result->prefixes;
    }
    return true;
  });
  progress(unreported, table.num_entries());
  if (!wrong.ok()) return wrong;
  if (!read.ok()) return read;
  if (last.has_value()) {
    return CheckKey(file, table, "last", *last, file.largest_key);
  }
  return table.num_entries() == 0
             ? absl::OkStatus()
             : absl::InternalError("none of the table's keys is known");
}

// Of a table without a filter, reads the first key only.
absl::Status VerifyUnfiltered(const TableFile& file, SstReader& table) {
  absl::Status other_key;
  const absl::Status read = table.ForEachEntry([&](std::string_view key) {
    other_key = CheckFirstKey(file, table, key);
    return false;
  });
  return other_key.ok() ? read : other_key;
}

absl::Status Verify(const TableFile& file, SstReader& table,
                    const EntryProgress& progress, VerifiedTable* result) {
  result->database_id = table.properties().db_id;
  result->original_number = table.properties().orig_file_number;
  const absl::Status size = CheckSize(file);
  if (!size.ok()) return size;
  if (absl::IsDataLoss(table.filter_status())) {
    return absl::DataLossError(absl::StrCat("the filter can't be read: ",
                                            table.filter_status().message()));
  }
  if (!table.filter_status().ok()) return table.filter_status();
  if (table.filter_blocks().empty()) {
    result->has_filter = false;
    return VerifyUnfiltered(file, table);
  }
  const absl::Status blocks = CheckBlocks(table, result);
  if (!blocks.ok()) return blocks;
  FilterWalk walk(table.properties(), table.filter_blocks());
  if (!walk.unknown_extractor().empty() && !walk.has_whole_keys()) {
    return absl::UnimplementedError(absl::StrCat(
        "the filter has prefixes only, by the extractor '",
        walk.unknown_extractor(), "', which this program does not have"));
  }
  result->unknown_extractor = walk.unknown_extractor();
  return CheckKeys(file, table, &walk, progress, result);
}

}  // namespace

VerifiedTable VerifyTable(const TableFile& file,
                          const EntryProgress& progress) {
  VerifiedTable result;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(file.path);
  result.status =
      table.ok() ? Verify(file, **table, progress, &result) : table.status();
  return result;
}

}  // namespace oneline
