// `oneline sieve info`: describes a store of lines.

#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "membership/filters/bloom_filter.h"
#include "membership/filters/classic_model.h"
#include "membership/urls/approximate_frontier.h"
#include "membership/urls/exact_frontier.h"
#include "tools/command/command.h"
#include "tools/sieve/sieve.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

const char* LinesText(uint8_t key_form) {
  switch (key_form) {
    case 0:
      return "compared as they are";
    case kNormalUrls:
      return "compared by their normal form (--normalize)";
    default:
      return "compared in a way that this version does not know";
  }
}

absl::StatusOr<int> FilterInfo(const std::string& path) {
  const absl::StatusOr<BloomFilter> filter = BloomFilter::Load(path);
  if (!filter.ok()) return filter.status();
  const FilterShape& shape = filter->shape();
  // The keys with which half of the bits are set.
  const double capacity = ClassicBloomKeys(
      shape.num_positions, shape.num_hashes, shape.num_positions / 2);
  absl::PrintF(
      "kind        approximate (a saved Bloom filter)\n"
      "lines       %s\n"
      "bits        %d, %d hashes\n"
      "bytes       %d (%s)\n"
      "capacity    %.0f keys, half of the bits set\n"
      "keys        %.0f, estimated; %.1f %% of the bits are set\n"
      "error rate  %.3g now, %.3g at capacity\n",
      LinesText(shape.key_form), shape.num_positions, shape.num_hashes,
      filter->num_bytes(), BytesText(static_cast<double>(filter->num_bytes())),
      capacity, filter->EstimatedKeys(), 100 * filter->FillRatio(),
      filter->EstimatedFpRate(),
      ClassicBloomFpRate(static_cast<double>(shape.num_positions) / capacity,
                         shape.num_hashes));
  return kExitFine;
}

absl::StatusOr<int> DatabaseInfo(const std::string& path) {
  const auto info = ExactFrontier::ReadInfo(path);
  if (!info.ok()) return info.status();
  if (!info->exists) {
    return absl::NotFoundError(
        absl::StrCat(path, ": has no database of sieve"));
  }
  uint64_t bytes = 0;
  std::error_code ignored;  // RocksDB may delete a file meanwhile
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    const uintmax_t size = entry.file_size(ignored);
    if (!ignored) bytes += size;
  }
  absl::PrintF(
      "kind        exact (a database)\n"
      "lines       %s\n"
      "bytes       %d (%s)\n"
      "keys        %d\n"
      "error rate  0\n",
      LinesText(info->normalizes ? kNormalUrls : 0), bytes,
      BytesText(static_cast<double>(bytes)), info->num_seen);
  return kExitFine;
}

}  // namespace

absl::StatusOr<int> SieveInfo(const std::string& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  return folder ? DatabaseInfo(path) : FilterInfo(path);
}

}  // namespace oneline
