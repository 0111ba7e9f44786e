// A log has blocks of 32 KiB, of fragments that do not cross their ends:
//
//   checksum 4 | length 2 | type 1 | [log number 4] | bytes ...
//
// A batch is one fragment, or a first one and others. It begins with
//
//   sequence number 8 | number of keys 4 | type of the first entry 1 | ...

#include "tools/refilter/log_numbers.h"

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

// Of fragments.
constexpr uint8_t kFull = 1, kFirst = 2, kRecyclableFull = 5,
                  kRecyclableFirst = 6, kRecyclableLast = 8, kCompression = 9;
// Of the first entry of a batch whose keys get their numbers at the commit.
constexpr uint8_t kBeginPrepare = 9;

// Follows the batches of logs.
class BatchNumbers {
 public:
  // The next block of a log. Returns whether it goes on.
  bool Add(uint64_t log_number, const uint8_t* block, size_t size) {
    size_t at = 0;
    while (at + kHeaderBytes <= size && !overlap_) {
      const size_t length = block[at + 4] + 256u * block[at + 5];
      const uint8_t type = block[at + 6];
      const bool is_recyclable = IsRecyclable(type);
      const size_t header =
          is_recyclable ? kRecyclableHeaderBytes : kHeaderBytes;
      if (type == 0 || type == kCompression || at + header + length > size ||
          (is_recyclable && GetLittleEndian<uint32_t>(block + at + 7) !=
                                static_cast<uint32_t>(log_number))) {
        return false;
      }
      if (type == kFull || type == kFirst || type == kRecyclableFull ||
          type == kRecyclableFirst) {
        AddBatch(block + at + header, length);
      }
      at += header + length;
    }
    return !overlap_;
  }

  bool overlap() const { return overlap_; }

 private:
  void AddBatch(const uint8_t* batch, size_t length) {
    if (length <= kBatchHeaderBytes) {
      next_ = 0;  // the rest is in another block
      return;
    }
    const uint64_t first = GetLittleEndian<uint64_t>(batch);
    overlap_ = first < next_;
    next_ = first + (batch[kBatchHeaderBytes] == kBeginPrepare
                         ? 0
                         : GetLittleEndian<uint32_t>(batch + 8));
  }

  uint64_t next_ = 0;  // after the last key so far
  bool overlap_ = false;
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
        absl::SimpleAtoi(name.substr(0, name.size() - 4), &number)) {
      logs[number] = entry->path().string();
    }
  }
  if (!error) return logs;
  return absl::UnavailableError(absl::StrCat(directory, ": ", error.message()));
}

bool IsRecyclable(uint8_t type) {
  return (type >= kRecyclableFull && type <= kRecyclableLast) || type == 11 ||
         type == 131;
}

bool HaveNumbersOfBatches(const std::map<uint64_t, std::string>& logs) {
  std::vector<char> block(kBlockBytes);
  BatchNumbers numbers;
  for (const auto& [number, path] : logs) {
    std::ifstream file(path, std::ios::binary);
    do {
      file.read(block.data(), kBlockBytes);
    } while (numbers.Add(number, reinterpret_cast<const uint8_t*>(block.data()),
                         static_cast<size_t>(file.gcount())) &&
             file.good());
    if (numbers.overlap()) return true;
  }
  return false;
}

}  // namespace oneline
