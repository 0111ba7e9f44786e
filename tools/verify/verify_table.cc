#include "tools/verify/verify_table.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "tools/sst/filter_facts.h"
#include "tools/sst/filter_walk.h"
#include "tools/sst/filtered_keys.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

using Progress = std::function<void(uint64_t, uint64_t)>;

constexpr uint64_t kEntriesBetweenProgress = 1 << 14;

// The trailer's num_keys for that many or more.
constexpr uint32_t kManyKeys = ~uint32_t{0};

std::string Text(const absl::Status& status) {
  return std::string(status.message());
}

// In hex as well as in letters, and not without end.
std::string KeyText(std::string_view key) {
  constexpr size_t kMost = 64;
  const absl::string_view shown(key.data(), std::min(key.size(), kMost));
  return absl::StrCat(
      "'", absl::CHexEscape(shown), "'",
      key.size() > kMost ? absl::StrCat("... of ", key.size(), " bytes") : "");
}

class Verification {
 public:
  Verification(SstReader* table, VerifiedTable* result)
      : table_(*table), result_(*result), keys_(table->properties()) {}

  // What is wrong, or OK. Unimplemented: nothing of it could be checked.
  absl::Status Run(const Progress& progress);

 private:
  // "partition 3 of 8 of the filter", or "the filter".
  std::string Where(size_t block) const {
    return table_.partitioned()
               ? absl::StrCat("partition ", block + 1, " of ",
                              table_.filter_blocks().size(), " of the filter")
               : "the filter";
  }

  absl::Status CheckBlocks();
  absl::Status CheckNumKeys() const;
  absl::Status CheckKeys(const Progress& progress);
  void Count(const FilteredKeys::Entries& entries);

  SstReader& table_;
  VerifiedTable& result_;
  const FilteredKeys keys_;
  // The sum of what our blocks say they have; nothing if one is not ours, or
  // has more than it can say.
  std::optional<uint64_t> keys_in_trailers_;
  std::string last_prefix_;
};

absl::Status Verification::CheckBlocks() {
  keys_in_trailers_ = 0;
  for (size_t i = 0; i < table_.filter_blocks().size(); ++i) {
    const absl::StatusOr<FilterFacts> facts =
        FactsOf(table_.filter_blocks()[i]);
    if (!facts.ok()) {
      return absl::DataLossError(
          absl::StrCat(Where(i), ": ", Text(facts.status())));
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

// RocksDB puts down what the builder says that it was given.
absl::Status Verification::CheckNumKeys() const {
  const uint64_t given = table_.properties().num_filter_entries;
  if (!keys_in_trailers_.has_value() || given == 0 ||
      given == *keys_in_trailers_) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat("the filter is of ", *keys_in_trailers_,
                   " keys, but the table's properties tell of ", given));
}

void Verification::Count(const FilteredKeys::Entries& entries) {
  ++result_.keys;
  if (!entries.has_prefix) return;
  const std::string_view prefix = entries.view[entries.n - 1];
  if (result_.prefixes > 0 && prefix == last_prefix_) return;
  ++result_.prefixes;
  last_prefix_ = prefix;
}

absl::Status Verification::CheckKeys(const Progress& progress) {
  FilterWalk walk(table_.filter_blocks(), keys_);
  absl::Status found;
  std::string last_key;
  uint64_t unreported = 0;
  const absl::Status read = table_.ForEachEntry([&](std::string_view key) {
    if (++unreported == kEntriesBetweenProgress) {
      progress(unreported, table_.num_entries());
      unreported = 0;
    }
    if (result_.keys > 0 && key == last_key) return true;
    last_key = key;
    const FilteredKeys::Entries entries = keys_.Of(key);
    if (!walk.MayMatch(entries)) {
      found = absl::DataLossError(absl::StrCat(
          "the key ", KeyText(key), " does not pass ", Where(walk.partition()),
          table_.partitioned() ? " nor the next" : ""));
      return false;
    }
    Count(entries);
    return true;
  });
  progress(unreported, table_.num_entries());
  return found.ok() ? read : found;
}

absl::Status Verification::Run(const Progress& progress) {
  absl::Status status = CheckBlocks();
  if (status.ok()) status = CheckNumKeys();
  if (!status.ok()) return status;
  if (!keys_.unknown_extractor().empty()) {
    if (!keys_.whole_keys()) {
      return absl::UnimplementedError(absl::StrCat(
          "the filter has prefixes only, of the extractor '",
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

VerifiedTable VerifyTable(const std::string& path, const Progress& progress) {
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
