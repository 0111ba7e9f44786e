// The URLs seen so far and the queue, in a RocksDB database with our filter
// policy: no new URL is ever lost, and by the filters nearly every new URL is
// recognized without a read from the disk.
//
//   column family   key                     value
//   default         "format"                "oneline urls 2", or with normalize
//                                           "oneline normal urls 2"
//                   "num_seen"              8 bytes, big-endian
//   seen            digest of the URL or    empty
//                   its normal form
//                   (url_digest.h)
//   queue           number, 8 bytes,        the URL
//                   big-endian
//
// Durability. A call of Push or Pop takes effect as a whole or not at all. Once
// it has returned, its effect survives the end of the program, even by kill -9;
// after the next Sync that returns OK it survives a crash of the machine, too.
// So push many URLs per call and Sync now and then: that is fast, and nothing
// is lost that a Sync confirmed. URLs popped after the last Sync may be
// returned again after such a crash.

#ifndef ONELINE_MEMBERSHIP_URLS_EXACT_FRONTIER_H_
#define ONELINE_MEMBERSHIP_URLS_EXACT_FRONTIER_H_

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "membership/urls/url_digest.h"
#include "membership/urls/url_frontier.h"

namespace oneline {

struct ExactFrontierOptions {
  // The folder of the database; created if it does not exist. Only one program
  // at a time can open it.
  std::string path;
  // The memory of the database, at least 8 MiB: its memtables, which take at
  // most half of it, and the blocks, indexes and filters of its files. The
  // program needs up to 64 MiB and a quarter of this besides, however many URLs
  // there are. Below 1.5 bytes per URL the filters do not all fit and are read
  // again and again.
  size_t memory_bytes = size_t{256} << 20;
  // False: Push remembers URLs and queues none.
  bool keep_queue = true;
  // Compares URLs by their normal form (normal_url.h); they are queued as they
  // came. Open refuses a database that was made with the other setting.
  bool normalize = false;
  // RocksDB's counters of reads and filter checks; may be null.
  std::shared_ptr<rocksdb::Statistics> statistics;
};

struct ExactFrontierInfo {
  bool exists = false;
  bool normalizes = false;
  uint64_t num_seen = 0;
};

class ExactFrontier final : public UrlFrontier {
 public:
  // InvalidArgument for too little memory or the other setting of normalize,
  // FailedPrecondition if the folder holds anything else, Unimplemented if a
  // later version wrote the database, DataLoss if it is damaged, Unavailable if
  // another program has it open or RocksDB fails otherwise.
  static absl::StatusOr<std::unique_ptr<ExactFrontier>> Open(
      const ExactFrontierOptions& options);
  ~ExactFrontier() override;

  // Describes the database in a folder, which another program may have open,
  // and changes nothing. Errors: those of Open.
  static absl::StatusOr<ExactFrontierInfo> ReadInfo(const std::string& path);

  double FpRate() const override { return 0; }

 private:
  explicit ExactFrontier(const ExactFrontierOptions& options)
      : options_(options) {}

  absl::Status OpenDatabase();
  absl::Status ReadState();
  absl::Status InPath(const rocksdb::Status& status) const;
  // Computes the keys of the URLs from `begin` to `end`, and whether each is
  // new to the database.
  rocksdb::Status LookUp(const std::string_view* urls, size_t begin, size_t end,
                         bool* is_new);

  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override;
  absl::Status Remember(const std::string_view* urls, size_t n,
                        const bool* is_new) override;
  absl::StatusOr<std::string> TakeOldest() override;
  absl::Status Save() override;

  const ExactFrontierOptions options_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;  // default, seen, queue
  std::vector<UrlDigest> keys_;  // of the URLs of FindNew, for Remember
  // The queue has the numbers from here to head_ + num_queued_ - 1.
  uint64_t head_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_EXACT_FRONTIER_H_
