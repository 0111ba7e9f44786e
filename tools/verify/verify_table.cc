#include "tools/verify/verify_table.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "tools/sst/filter_walk.h"
#include "tools/sst/filtered_keys.h"
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

class Verification {
 public:
  // All must outlive it.
  Verification(const TableFile& file, SstReader* table, VerifiedTable* result)
      : file_(file),
        table_(*table),
        result_(*result),
        keys_(table->properties()) {}

  // OK if the filter is intact, DataLoss if it or the table is damaged,
  // Unimplemented if this program cannot check it.
  absl::Status Run(const EntryProgress& progress);

 private:
  // "partition 3 of 8 of the filter", or "the filter".
  std::string BlockText(size_t block) const {
    return table_.partitioned()
               ? absl::StrCat("partition ", block + 1, " of ",
                              table_.filter_blocks().size(), " of the filter")
               : "the filter";
  }

  absl::Status CheckBlocks();
  absl::Status CheckNumKeys() const;
  absl::Status CheckKeys(const EntryProgress& progress);

  const TableFile& file_;
  SstReader& table_;
  VerifiedTable& result_;
  const FilteredKeys keys_;
  // The sum of the trailers' num_keys; none if a block is not ours, or has more
  // keys than its trailer can count.
  std::optional<uint64_t> keys_in_trailers_;
};

absl::Status Verification::CheckBlocks() {
  keys_in_trailers_ = 0;
  for (const DecodedBlock& block : table_.decoded_blocks().list()) {
    if (!block.facts.has_value()) {
      return absl::DataLossError(
          absl::StrCat(BlockText(result_.blocks), ": ", block.error));
    }
    const std::optional<Trailer>& trailer = block.facts->trailer;
    if (!trailer.has_value() || trailer->num_keys == kManyKeys) {
      keys_in_trailers_.reset();
    } else if (keys_in_trailers_.has_value()) {
      *keys_in_trailers_ += trailer->num_keys;
    }
    ++result_.blocks;
    if (table_.partitioned()) ++result_.partitions;
  }
  return absl::OkStatus();
}

// RocksDB writes the number of keys that the filter's builder reported into the
// table's properties.
absl::Status Verification::CheckNumKeys() const {
  const uint64_t given = table_.properties().num_filter_entries;
  if (!keys_in_trailers_.has_value() || given == 0 ||
      given == *keys_in_trailers_) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat("the filter has ", *keys_in_trailers_,
                   " keys, but the table's properties say ", given));
}

absl::Status Verification::CheckKeys(const EntryProgress& progress) {
  absl::Status wrong_key;
  std::string last;
  const absl::Status read =
      ForEachDistinctKey(table_, keys_, progress, [&](const DistinctKey& key) {
        if (result_.keys == 0) {
          wrong_key = CheckFirstKey(file_, table_, key.key);
        }
        if (wrong_key.ok() && !key.passes) {
          wrong_key = absl::DataLossError(
              absl::StrCat("the key ", KeyText(key.key), " does not pass ",
                           BlockText(key.partition),
                           table_.partitioned() ? " nor the next" : ""));
        }
        if (!wrong_key.ok()) return false;
        last = key.key;
        ++result_.keys;
        if (key.entries.has_prefix && !key.repeats_prefix) ++result_.prefixes;
        return true;
      });
  if (!wrong_key.ok()) return wrong_key;
  if (!read.ok()) return read;
  if (result_.keys == 0) {
    return table_.num_entries() == 0
               ? absl::OkStatus()
               : absl::InternalError("none of the table's keys is known");
  }
  return CheckKey(file_, table_, "last", last, file_.largest_key);
}

absl::Status Verification::Run(const EntryProgress& progress) {
  absl::Status status = CheckBlocks();
  if (status.ok()) status = CheckNumKeys();
  if (!status.ok()) return status;
  if (!keys_.unknown_extractor().empty()) {
    if (!keys_.whole_keys()) {
      return absl::UnimplementedError(absl::StrCat(
          "the filter has prefixes only, by the extractor '",
          keys_.unknown_extractor(), "', which this program does not have"));
    }
    result_.unknown_extractor = keys_.unknown_extractor();
  }
  return CheckKeys(progress);
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
  return Verification(file, &table, result).Run(progress);
}

}  // namespace

VerifiedTable VerifyTable(const TableFile& file, const EntryProgress& progress,
                          rocksdb::Env* env) {
  VerifiedTable result;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(file.path, env);
  result.status =
      table.ok() ? Verify(file, **table, progress, &result) : table.status();
  return result;
}

}  // namespace oneline
