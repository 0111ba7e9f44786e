#include "tools/manifest/log_records.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/manifest/checksums.h"
#include "tools/manifest/coding.h"

namespace oneline {
namespace {

constexpr size_t kBlockBytes = 32768;
constexpr size_t kHeaderBytes = 7;
constexpr size_t kTypeAt = 6;

enum FragmentType : uint8_t { kNone, kWhole, kFirst, kMiddle, kLast };

struct Fragment {
  uint8_t type = kNone;
  std::string_view bytes;
};

class LogReader {
 public:
  explicit LogReader(std::string_view file) : file_(file) {}

  // Nothing at the end of the file.
  absl::StatusOr<std::optional<Fragment>> Next();

  absl::Status Damage(std::string_view what) const {
    return absl::DataLossError(absl::StrCat(
        absl::string_view(what.data(), what.size()), " at byte ", at_));
  }

 private:
  std::string_view file_;
  size_t at_ = 0;
};

absl::StatusOr<std::optional<Fragment>> LogReader::Next() {
  const size_t left_in_block = kBlockBytes - at_ % kBlockBytes;
  if (left_in_block < kHeaderBytes) {
    at_ += std::min(left_in_block, file_.size() - at_);
  }
  if (file_.size() - at_ < kHeaderBytes) return std::nullopt;
  const size_t block_end =
      std::min(file_.size(), at_ - at_ % kBlockBytes + kBlockBytes);
  ByteParser parser(file_.substr(at_, block_end - at_));
  uint32_t checksum = 0;
  uint16_t length = 0;
  Fragment fragment;
  if (!parser.TakeFixed(&checksum) || !parser.TakeFixed(&length) ||
      !parser.TakeFixed(&fragment.type)) {
    return Damage("no header of a record");
  }
  if (fragment.type == kNone && length == 0) {
    // Space that was reserved.
    if (file_.find_first_not_of('\0', at_) == file_.npos) return std::nullopt;
    return Damage("zeros instead of a record");
  }
  if (!parser.TakeBytes(length, &fragment.bytes)) {
    // RocksDB takes a block for the last one if it is not full.
    if (block_end % kBlockBytes != 0) return std::nullopt;
    return Damage("a record with a wrong length");
  }
  if (MaskedCrc32c(file_.substr(at_ + kTypeAt, 1 + length)) != checksum) {
    return Damage("a record with a wrong checksum");
  }
  if (fragment.type > kLast) {
    return absl::UnimplementedError(absl::StrCat(
        "a record of the unknown type ", fragment.type, " at byte ", at_));
  }
  at_ += kHeaderBytes + length;
  return fragment;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadLogRecords(std::string_view file) {
  std::vector<std::string> records;
  std::optional<std::string> begun;
  for (LogReader reader(file);;) {
    const absl::StatusOr<std::optional<Fragment>> next = reader.Next();
    if (!next.ok()) return next.status();
    if (!next->has_value()) return records;
    const Fragment& fragment = **next;
    const bool begins = fragment.type == kWhole || fragment.type == kFirst;
    if (begins == begun.has_value() || fragment.type == kNone) {
      return reader.Damage("a record without its begin or end before that");
    }
    if (begins) begun.emplace();
    begun->append(fragment.bytes);
    if (fragment.type == kWhole || fragment.type == kLast) {
      records.push_back(*std::move(begun));
      begun.reset();
    }
  }
}

void AppendLogRecord(std::string_view record, std::string* file) {
  bool first = true;
  do {
    size_t room = kBlockBytes - file->size() % kBlockBytes;
    if (room < kHeaderBytes) {
      file->append(room, '\0');
      room = kBlockBytes;
    }
    const std::string_view bytes = record.substr(0, room - kHeaderBytes);
    record.remove_prefix(bytes.size());
    const bool last = record.empty();
    std::string checked(1, static_cast<char>(first && last ? kWhole
                                             : first       ? kFirst
                                             : last        ? kLast
                                                           : kMiddle));
    checked += bytes;
    PutFixed(MaskedCrc32c(checked), file);
    PutFixed(static_cast<uint16_t>(bytes.size()), file);
    *file += checked;
    first = false;
  } while (!record.empty());
}

}  // namespace oneline
