// Reads one SST file through RocksDB's own reader, checksums included: its
// properties, the bytes of its filter, and its keys.

#ifndef ONELINE_TOOLS_SST_SST_READER_H_
#define ONELINE_TOOLS_SST_SST_READER_H_

#include <rocksdb/sst_file_reader.h>
#include <rocksdb/status.h>
#include <rocksdb/table_properties.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filter_policy/refilter/table_filter.h"

namespace oneline {

// Whether the file is a block-based table, the only format that has filter
// blocks. NotFound if there is no file, Unavailable if it can't be opened,
// Unimplemented if it ends as another format, InvalidArgument if it ends as
// none or is not a regular file, DataLoss if the footer tells of a block
// outside of the file: RocksDB, which has no checksum of it before version 6,
// would ask for as much memory. Messages do not name the file.
absl::Status CheckSstFormat(const std::string& path);

// Why a table could not be read, by an error of RocksDB's: Unavailable for lack
// of permission, descriptors or memory, so that nothing is known of the table;
// otherwise DataLoss.
absl::Status ReadStatus(const rocksdb::Status& status);

// Whether a table or its filter with this status is damaged or missing. False
// if it could not be read for other reasons.
inline bool IsLost(const absl::Status& status) {
  return !status.ok() && !absl::IsUnavailable(status) &&
         !absl::IsUnimplemented(status);
}

// "PATH: why".
absl::Status WithPath(const std::string& path, const absl::Status& status);

class FileOrderComparator;

// Not thread-safe.
class SstReader {
 public:
  // Opens the file and reads its filter. Writes nothing, not even a LOG. A
  // damaged filter is not an error here: see filter_status.
  //
  // Errors: those of CheckSstFormat; Unavailable if the system does not let it
  // be read, DataLoss if the table itself is damaged.
  static absl::StatusOr<std::unique_ptr<SstReader>> Open(
      const std::string& path);

  ~SstReader();

  const rocksdb::TableProperties& properties() const { return *properties_; }

  // OK if the filter was read, or there is none. DataLoss: the filter is
  // damaged. Unavailable: the system did not let it be read. Unimplemented: it
  // was written by a policy unknown to us.
  const absl::Status& filter_status() const { return filter_status_; }

  // The filter's bytes: nothing, one block, or the partitions in the order of
  // their keys. Partitions without keys may be left out.
  const std::vector<std::string>& filter_blocks() const {
    return filter_blocks_;
  }
  // What they are, in the same order.
  const FilterBlocks& decoded_blocks() const { return decoded_blocks_; }
  // Whether the filter is partitioned, perhaps into a single partition.
  bool partitioned() const { return partitioned_; }

  // Calls `visit` with the key of each entry, in the table's order: the user
  // key without its timestamp. Visits every version of a key, also deletions,
  // but no range deletions, which are in no filter. Stops when `visit` returns
  // false. DataLoss if a block is damaged, or if the number of entries is not
  // that of the properties; Unavailable as above.
  using Visitor = std::function<bool(std::string_view key)>;
  absl::Status ForEachEntry(const Visitor& visit);

  // Of every block. DataLoss if one differs; Unavailable as above.
  absl::Status VerifyChecksums();

  // The size of the timestamp at the end of each key in the file.
  size_t timestamp_bytes() const;

  // The number of entries that ForEachEntry visits.
  uint64_t num_entries() const {
    return properties_->num_entries - properties_->num_range_deletions;
  }

 private:
  explicit SstReader(const std::string& path);

  rocksdb::Status OpenTable(
      const std::shared_ptr<const rocksdb::FilterPolicy>& policy);
  absl::Status FindFilterStatus();
  absl::Status ReadEntries(const Visitor& visit);

  const std::string path_;
  const std::unique_ptr<FileOrderComparator> comparator_;
  std::unique_ptr<rocksdb::SstFileReader> reader_;
  std::shared_ptr<const rocksdb::TableProperties> properties_;
  std::vector<std::string> filter_blocks_;
  FilterBlocks decoded_blocks_;
  bool partitioned_ = false;
  absl::Status filter_status_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_SST_READER_H_
