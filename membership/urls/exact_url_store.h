// URLs seen, and the queue, in a RocksDB database with our filter policy: no
// new URL is ever lost, and nearly every new one is known to be new without a
// read from the disk, by the filters.
//
//   column family   key                     value
//   default         "format"                "oneline urls 2", or with normalize
//                                           "oneline normal urls 2"
//                   "num_seen"              8 bytes, big-endian
//   seen            digest of the URL or    nothing
//                   its normal form
//                   (url_digest.h)
//   queue           8 bytes, big-endian     the URL
//
// When something is safe. What Push or Pop has done when it returns, as a whole
// or not at all, survives the end of the program, also kill -9. It survives the
// failure of the machine from the next Sync that returns OK. So pushing many
// URLs in one call, with a Sync now and then, is fast and loses nothing that
// was acknowledged by a Sync. What was popped after the last Sync may come
// again.

#ifndef ONELINE_MEMBERSHIP_URLS_EXACT_URL_STORE_H_
#define ONELINE_MEMBERSHIP_URLS_EXACT_URL_STORE_H_

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "membership/urls/url_digest.h"
#include "membership/urls/url_store.h"

namespace oneline {

struct ExactUrlStoreOptions {
  // A folder, made if it is not there. One program at a time.
  std::string path;
  // What the database may keep in memory: memtables, half of it at most, and
  // blocks, indexes and filters of its files. The program takes up to 64 MiB
  // and a quarter of it besides, however many URLs there are. With less than a
  // byte and a half for each URL, filters are read again and again. At least 8
  // MiB.
  size_t memory_bytes = size_t{256} << 20;
  // False: Push remembers URLs and queues none.
  bool keep_queue = true;
  // URLs are compared by their normal form (normal_url.h); queued as they came.
  // The database tells, and is refused if it was made otherwise. None: as it
  // was made.
  std::optional<bool> normalize = false;
  // Counts what the database reads; may be null.
  std::shared_ptr<rocksdb::Statistics> statistics;
};

class ExactUrlStore final : public UrlStore {
 public:
  // FailedPrecondition if the folder holds something else, Unavailable if
  // another program has it open.
  static absl::StatusOr<std::unique_ptr<ExactUrlStore>> Open(
      const ExactUrlStoreOptions& options);
  ~ExactUrlStore() override;

  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override;
  absl::Status Remember(const std::string_view* urls, size_t n,
                        const bool* is_new) override;
  absl::StatusOr<std::optional<std::string>> Pop() override;
  absl::Status Sync() override;
  uint64_t NumSeen() const override { return num_seen_; }
  uint64_t NumQueued() const override { return tail_ - head_; }
  double FpRate() const override { return 0; }
  bool normalizes() const { return normalize_; }

  // Rewrites all files into as few as can be, for tests and quiet hours.
  absl::Status Compact();

 private:
  explicit ExactUrlStore(const ExactUrlStoreOptions& options);

  absl::Status CheckForm(const std::string& format);
  absl::Status OpenDatabase();
  absl::Status ReadState();
  absl::Status Error(const rocksdb::Status& status) const;
  UrlDigest KeyOf(std::string_view url) const;
  // Of the URLs from `begin` to `end`: the keys, and whether each is new to the
  // database.
  rocksdb::Status LookUp(const std::string_view* urls, size_t begin, size_t end,
                         bool* is_new);

  const ExactUrlStoreOptions options_;
  bool normalize_ = false;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;  // default, seen, queue
  std::vector<UrlDigest> keys_;  // of FindNew's URLs, for Remember
  uint64_t num_seen_ = 0;
  // The queue's numbers: head_ up to tail_, without it.
  uint64_t head_ = 0;
  uint64_t tail_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_EXACT_URL_STORE_H_
