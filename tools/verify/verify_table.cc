#include "tools/verify/verify_table.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "tools/sst/distinct_keys.h"
#include "tools/sst/filter_facts.h"
#include "tools/sst/filtered_keys.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

// A trailer's num_keys for this many keys or more.
constexpr uint32_t kManyKeys = ~uint32_t{0};

std::string Text(const absl::Status& status) {
  return std::string(status.message());
}

// At most kMaxBytes of the key, unprintable ones in hex.
std::string KeyText(std::string_view key) {
  constexpr size_t kMaxBytes = 64;
  const absl::string_view shown(key.data(), std::min(key.size(), kMaxBytes));
  return absl::StrCat("'", absl::CHexEscape(shown), "'",
                      key.size() > kMaxBytes
                          ? absl::StrCat("... of ", key.size(), " bytes")
                          : "");
}

class Verification {
 public:
  Verification(SstReader* table, VerifiedTable* result)
      : table_(*table), result_(*result), keys_(table->properties()) {}

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

  SstReader& table_;
  VerifiedTable& result_;
  const FilteredKeys keys_;
  // The sum of the trailers' num_keys; none if a block is not ours, or has more
  // keys than its trailer can count.
  std::optional<uint64_t> keys_in_trailers_;
};

absl::Status Verification::CheckBlocks() {
  keys_in_trailers_ = 0;
  for (size_t i = 0; i < table_.filter_blocks().size(); ++i) {
    const absl::StatusOr<FilterFacts> facts =
        FactsOf(table_.filter_blocks()[i]);
    if (!facts.ok()) {
      return absl::DataLossError(
          absl::StrCat(BlockText(i), ": ", Text(facts.status())));
    }
    if (!facts->trailer.has_value() || facts->trailer->num_keys == kManyKeys) {
      keys_in_trailers_.reset();
    } else if (keys_in_trailers_.has_value()) {
      *keys_in_trailers_ += facts->trailer->num_keys;
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
  absl::Status missing_key;
  const absl::Status read =
      ForEachDistinctKey(table_, keys_, progress, [&](const DistinctKey& key) {
        if (!key.passes) {
          missing_key = absl::DataLossError(
              absl::StrCat("the key ", KeyText(key.key), " does not pass ",
                           BlockText(key.partition),
                           table_.partitioned() ? " nor the next" : ""));
          return false;
        }
        ++result_.keys;
        if (key.entries.has_prefix && !key.repeats_prefix) ++result_.prefixes;
        return true;
      });
  return missing_key.ok() ? read : missing_key;
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

TableVerdict VerdictOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return TableVerdict::kIntact;
    case absl::StatusCode::kUnimplemented:
      return TableVerdict::kNotChecked;
    case absl::StatusCode::kNotFound:
      return TableVerdict::kMissing;
    default:
      return TableVerdict::kDamaged;
  }
}

}  // namespace

VerifiedTable VerifyTable(const std::string& path,
                          const EntryProgress& progress) {
  VerifiedTable result;
  const absl::StatusOr<std::unique_ptr<SstReader>> table =
      SstReader::Open(path);
  absl::Status status = table.status();
  if (status.ok()) {
    status = (*table)->filter_status();
    if (absl::IsDataLoss(status)) {
      status = absl::DataLossError(
          absl::StrCat("the filter can't be read: ", Text(status)));
    }
  }
  if (status.ok() && (*table)->filter_blocks().empty()) {
    result.verdict = TableVerdict::kUnfiltered;
    return result;
  }
  if (status.ok()) {
    status = Verification(table->get(), &result).Run(progress);
  }
  result.verdict = VerdictOf(status);
  result.message = Text(status);
  return result;
}

}  // namespace oneline
