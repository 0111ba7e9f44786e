// Whether write-ahead logs are those of a TransactionDB whose batches, not
// keys, have sequence numbers.
//
// With WritePrepared or WriteUnprepared all keys of a batch have one number. A
// plain DB gives each key its own when it reads the log: then older keys of a
// large batch have higher numbers than newer ones, or numbers that no read ever
// sees, and the first flush drops what was written last. Neither the MANIFEST
// nor the OPTIONS file records the policy.

#ifndef ONELINE_TOOLS_REFILTER_LOG_NUMBERS_H_
#define ONELINE_TOOLS_REFILTER_LOG_NUMBERS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace oneline {

// The paths of the logs in a directory, by file number. Unavailable if it can't
// be read.
absl::StatusOr<std::map<uint64_t, std::string>> LogsIn(
    const std::string& directory);

// Whether a fragment of a log has this type, of a log in a file that had
// another before, whose fragments have its number.
bool IsRecyclable(uint8_t type);

enum class LogNumbers {
  kOfKeys,     // also if no batch has several keys
  kOfBatches,  // a batch begins with a number that a key before it would take
  kUnknown,    // the logs are compressed
};

// Of the batches in these logs, of LogsIn(), of a database with two-phase
// commits. Reads as far as RocksDB would, but compares no checksums.
// Unavailable if one can't be read.
absl::StatusOr<LogNumbers> NumbersOf(
    const std::map<uint64_t, std::string>& logs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_LOG_NUMBERS_H_
