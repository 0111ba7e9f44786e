// One SST file, read through RocksDB's own reader with all its checksums: its
// properties, its filter as raw bytes, its keys.

#ifndef ONELINE_TOOLS_SST_SST_READER_H_
#define ONELINE_TOOLS_SST_SST_READER_H_

#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table_properties.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

class FileOrderComparator;

// From one thread at a time.
class SstReader {
 public:
  // Reads the file's filter, too. Nothing is written and no LOG made. A table
  // whose filter is damaged is opened nevertheless: see filter_status.
  //
  // Errors: NotFound if there is no such file, InvalidArgument if it does not
  // end as an SST file, Unimplemented if it is one without filter blocks as we
  // know them (PlainTable, LevelDB), DataLoss if the table itself is damaged.
  static absl::StatusOr<std::unique_ptr<SstReader>> Open(
      const std::string& path);

  ~SstReader();

  const rocksdb::TableProperties& properties() const { return *properties_; }

  // OK, also for a table without a filter. DataLoss: it has a filter that
  // can't be read. Unimplemented: it has one under a name that we don't know.
  const absl::Status& filter_status() const { return filter_status_; }

  // The filter's bytes: none, one block, or the partitions in the order of
  // their keys. Those without a single key may be left out.
  const std::vector<std::string>& filter_blocks() const {
    return filter_blocks_;
  }
  // Whether the filter has partitions, perhaps only one.
  bool partitioned() const { return partitioned_; }

  // Calls `visit` with the key of each entry in the table's order, as filters
  // have it: user keys without timestamps. Every version of a key comes, also
  // those that put, merge or delete; range deletions do not, which are in no
  // filter. Stops when `visit` returns false. DataLoss if a block is damaged
  // or there are more or fewer entries than the properties tell of.
  using Visitor = std::function<bool(std::string_view key)>;
  absl::Status ForEachEntry(const Visitor& visit);

  // The entries that ForEachEntry has.
  uint64_t num_entries() const {
    return properties_->num_entries - properties_->num_range_deletions;
  }

 private:
  explicit SstReader(const std::string& path);

  rocksdb::Status OpenTable(
      const std::shared_ptr<const rocksdb::FilterPolicy>& policy);
  absl::Status FindFilterStatus();

  const std::string path_;
  const std::unique_ptr<FileOrderComparator> comparator_;
  std::unique_ptr<rocksdb::SstFileReader> reader_;
  std::shared_ptr<const rocksdb::TableProperties> properties_;
  std::vector<std::string> filter_blocks_;
  bool partitioned_ = false;
  absl::Status filter_status_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_SST_READER_H_
