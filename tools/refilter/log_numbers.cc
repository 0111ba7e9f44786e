// A log has blocks of 32 KiB, of fragments that do not cross their ends:
//
//   checksum 4 | length 2 | type 1 | [log number 4] | bytes ...
//
// A batch is one fragment, or a first one and others. It begins with
//
//   sequence number 8 | number of keys 4 | type of the first entry 1 | ...

#include "tools/refilter/log_numbers.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "table/hash/little_endian.h"

namespace oneline {
namespace {

constexpr size_t kBlockBytes = 32768;
constexpr size_t kHeaderBytes = 7, kRecyclableHeaderBytes = 11;
constexpr size_t kBatchHeaderBytes = 12;

// Of fragments; the recyclable ones of these are four more.
constexpr uint8_t kFull = 1, kFirst = 2, kLast = 4, kRecyclable = 4,
                  kCompression = 9;
// Of the first entry of a batch that WriteCommitted prepares; the other
// policies have 18 and 19. Its keys get their numbers at the commit.
constexpr uint8_t kBeginPrepare = 9;

// Follows the batches of logs.
class BatchNumbers {
 public:
  void BeginLog() { is_recycled_ = false; }

  // The next block of a log. Returns whether it goes on.
  bool Add(uint64_t log_number, const uint8_t* block, size_t size) {
    size_t at = 0;
    while (at + kHeaderBytes <= size) {
      const size_t length = block[at + 4] + 256u * block[at + 5];
      const uint8_t type = block[at + 6];
      const bool is_recyclable = IsRecyclable(type);
      const size_t header =
          is_recyclable ? kRecyclableHeaderBytes : kHeaderBytes;
      is_compressed_ |= type == kCompression;
      // What the file had before follows the end of a recycled log.
      if (type == 0 || type == kCompression || at + header + length > size ||
          (is_recycled_ && !is_recyclable) ||
          (is_recyclable && GetLittleEndian<uint32_t>(block + at + 7) !=
                                static_cast<uint32_t>(log_number))) {
        return false;
      }
      is_recycled_ = is_recyclable;
      const auto kind =
          static_cast<uint8_t>(is_recyclable ? type - kRecyclable : type);
      if (kind >= kFull && kind <= kLast) {
        AddFragment(kind, block + at + header, length);
      }
      at += header + length;
    }
    return true;
  }

  LogNumbers result() const {
    if (is_write_committed_) return LogNumbers::kOfKeys;
    if (overlap_) return LogNumbers::kOfBatches;
    return is_compressed_ ? LogNumbers::kUnknown : LogNumbers::kOfKeys;
  }

 private:
  void AddFragment(uint8_t kind, const uint8_t* bytes, size_t length) {
    if (kind == kFull || kind == kFirst) begin_.clear();
    const size_t before = begin_.size();
    begin_.insert(begin_.end(), bytes,
                  bytes + std::min(length, kBatchHeaderBytes + 1 - before));
    if (begin_.size() > kBatchHeaderBytes) {
      if (before <= kBatchHeaderBytes) AddBatch();
    } else if (kind == kFull || kind == kLast) {
      next_ = 0;  // an empty batch, which a recovery writes
    }
  }

  void AddBatch() {
    const auto first = GetLittleEndian<uint64_t>(begin_.data());
    overlap_ |= first < next_;
    const bool is_prepare = begin_[kBatchHeaderBytes] == kBeginPrepare;
    is_write_committed_ |= is_prepare;
    next_ =
        first + (is_prepare ? 0 : GetLittleEndian<uint32_t>(begin_.data() + 8));
  }

  std::vector<uint8_t> begin_;  // of a batch, up to the type of its first entry
  uint64_t next_ = 0;           // after the last key so far
  bool is_recycled_ = false;    // this log
  bool is_write_committed_ = false, overlap_ = false, is_compressed_ = false;
};

}  // namespace

absl::StatusOr<std::map<uint64_t, std::string>> LogsIn(
    const std::string& directory) {
  std::map<uint64_t, std::string> logs;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    uint64_t number = 0;
    if (absl::EndsWith(name, ".log") &&
        absl::SimpleAtoi(name.substr(0, name.size() - 4), &number) &&
        entry->is_regular_file(error)) {
      logs[number] = entry->path().string();
    }
    if (error) break;
  }
  if (!error) return logs;
  return absl::UnavailableError(absl::StrCat(directory, ": ", error.message()));
}

bool IsRecyclable(uint8_t type) {
  return (type >= kFull + kRecyclable && type <= kLast + kRecyclable) ||
         type == 11 || type == 131;
}

absl::StatusOr<LogNumbers> NumbersOf(
    const std::map<uint64_t, std::string>& logs) {
  std::vector<char> block(kBlockBytes);
  BatchNumbers numbers;
  for (const auto& [number, path] : logs) {
    numbers.BeginLog();
    std::ifstream file(path, std::ios::binary);
    do {
      file.read(block.data(), kBlockBytes);
    } while (numbers.Add(number, reinterpret_cast<const uint8_t*>(block.data()),
                         static_cast<size_t>(file.gcount())) &&
             file.good());
    // At its end a file that was read is not bad.
    if (!file.is_open() || file.bad()) {
      return absl::UnavailableError(absl::StrCat(path, ": can't be read"));
    }
  }
  return numbers.result();
}

}  // namespace oneline
