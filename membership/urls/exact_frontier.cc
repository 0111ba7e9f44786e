// The frontier that remembers URLs in a RocksDB database.
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

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <filesystem>
#include <future>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "membership/urls/exact_options.h"
#include "membership/urls/url_digest.h"
#include "membership/urls/url_frontier.h"

namespace oneline {
namespace {

using rocksdb::Slice;

constexpr char kFormatKey[] = "format";
constexpr const char* kFormats[] = {"oneline urls 2", "oneline normal urls 2"};
constexpr char kNumSeenKey[] = "num_seen";

constexpr size_t kMinMemory = size_t{8} << 20;

// From this many URLs on a call uses a second thread, which takes as long to
// start as a few dozen lookups.
constexpr size_t kMinUrlsForTwoThreads = 512;

// Big-endian keys sort as their numbers, which is the order of the queue.
std::string BigEndian(uint64_t number) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>(number >> (56 - 8 * i) & 0xff);
  }
  return bytes;
}

uint64_t FromBigEndian(const Slice& bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    number = number << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return number;
}

class ExactFrontier final : public UrlFrontier {
 public:
  explicit ExactFrontier(const ExactFrontierOptions& options)
      : UrlFrontier(options), path_(options.path) {}
  ~ExactFrontier() override {
    for (rocksdb::ColumnFamilyHandle* family : families_) {
      db_->DestroyColumnFamilyHandle(family);
    }
  }

  // Before OpenDatabase: errors if that would change a folder of others.
  absl::Status CheckFolder() const;
  absl::Status CheckFormat() const;
  absl::Status OpenDatabase(const UrlDatabaseOptions& options);

  double FpRate() const override { return 0; }

 private:
  const char* Format() const { return kFormats[options_.normalize]; }
  absl::Status InPath(const rocksdb::Status& status) const;
  absl::Status Foreign(absl::string_view why) const {
    return absl::FailedPreconditionError(absl::StrCat(path_, ": ", why));
  }
  // Computes the keys of the URLs from `begin` to `end`, and whether each is
  // new to the database.
  rocksdb::Status LookUp(const std::string_view* urls, size_t begin, size_t end,
                         bool* is_new);

  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override;
  absl::Status Remember(const std::string_view* urls, size_t n,
                        const bool* is_new, uint64_t num_new) override;
  absl::StatusOr<std::string> TakeOldest() override;
  absl::Status Save() override { return InPath(db_->FlushWAL(/*sync=*/true)); }

  const std::string path_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  enum Family { kState, kSeen, kQueue };  // in families_
  std::vector<UrlDigest> keys_;  // of the URLs of FindNew, for Remember
  // The queue has the numbers from here to head_ + num_queued_ - 1.
  uint64_t head_ = 0;
};

absl::Status ExactFrontier::InPath(const rocksdb::Status& status) const {
  if (status.ok()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path_, ": ", status.ToString()));
}

absl::Status ExactFrontier::CheckFolder() const {
  if (std::filesystem::exists(path_ + "/CURRENT")) return absl::OkStatus();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    // RocksDB would make a new database and delete the tables. What else has
    // the name of a file of RocksDB is left by an Open that was interrupted.
    const std::string name = entry.path().filename();
    const std::string extension = entry.path().extension();
    if (extension == ".sst" ||
        (extension != ".log" && extension != ".dbtmp" && name != "LOCK" &&
         name != "IDENTITY" && name.rfind("MANIFEST-", 0) != 0 &&
         name.rfind("OPTIONS-", 0) != 0)) {
      return Foreign(absl::StrCat(
          "holds ", name,
          ", but no file CURRENT: restore it, or use another directory"));
    }
  }
  return absl::OkStatus();
}

// Reads the default column family alone. (RocksDB itself refuses to open a
// database with other families than ours.)
absl::Status ExactFrontier::CheckFormat() const {
  if (!std::filesystem::exists(path_ + "/CURRENT")) return absl::OkStatus();
  rocksdb::Options options;
  options.info_log = std::make_shared<NoLog>();
  std::unique_ptr<rocksdb::DB> db;
  const rocksdb::Status opened =
      rocksdb::DB::OpenForReadOnly(options, path_, OpenInto(&db));
  if (!opened.ok()) return InPath(opened);
  const std::unique_ptr<rocksdb::Iterator> first(db->NewIterator({}));
  first->SeekToFirst();
  // An interrupted Open leaves an empty database.
  if (!first->Valid()) return InPath(first->status());
  if (first->key() != kFormatKey) {
    return Foreign("is the RocksDB database of another program");
  }
  const std::string format = first->value().ToString();
  if (format == Format()) return absl::OkStatus();
  if (format == kFormats[!options_.normalize]) {
    return absl::InvalidArgumentError(
        absl::StrCat(path_, ": was made ",
                     options_.normalize ? "without normalize: go on without it"
                                        : "with normalize: go on with it"));
  }
  return absl::UnimplementedError(absl::StrCat(
      path_, ": this program does not know the format '", format, "'"));
}

absl::Status ExactFrontier::OpenDatabase(const UrlDatabaseOptions& options) {
  rocksdb::Status status = rocksdb::DB::Open(options.database, path_,
                                             {{"default", options.others},
                                              {"seen", options.seen},
                                              {"queue", options.others}},
                                             &families_, OpenInto(&db_));
  if (!status.ok()) return InPath(status);
  status = db_->Put({}, families_[kState], kFormatKey, Format());
  if (!status.ok()) return InPath(status);
  std::string number;
  status = db_->Get({}, families_[kState], kNumSeenKey, &number);
  if (!status.ok() && !status.IsNotFound()) return InPath(status);
  num_seen_ = FromBigEndian(number);
  const std::unique_ptr<rocksdb::Iterator> queue(
      db_->NewIterator({}, families_[kQueue]));
  queue->SeekToFirst();
  if (queue->Valid()) {
    head_ = FromBigEndian(queue->key());
    queue->SeekToLast();
  }
  if (queue->Valid()) num_queued_ = FromBigEndian(queue->key()) + 1 - head_;
  return InPath(queue->status());
}

rocksdb::Status ExactFrontier::LookUp(const std::string_view* urls,
                                      size_t begin, size_t end, bool* is_new) {
  const size_t n = end - begin;
  std::vector<Slice> slices(n);
  std::string normal;
  for (size_t i = begin; i < end; ++i) {
    keys_[i] = DigestOf(Compared(urls[i], normal));
    slices[i - begin] = {keys_[i].data(), keys_[i].size()};
  }
  std::vector<rocksdb::PinnableSlice> values(n);
  std::vector<rocksdb::Status> found(n);
  db_->MultiGet({}, families_[kSeen], n, slices.data(), values.data(),
                found.data());
  for (size_t i = 0; i < n; ++i) {
    if (!found[i].ok() && !found[i].IsNotFound()) return found[i];
    is_new[begin + i] = found[i].IsNotFound();
  }
  return rocksdb::Status::OK();
}

absl::Status ExactFrontier::FindNew(const std::string_view* urls, size_t n,
                                    bool* is_new) {
  keys_.resize(n);
  rocksdb::Status status;
  if (n < kMinUrlsForTwoThreads) {
    status = LookUp(urls, 0, n, is_new);
  } else {
    // The default policy: if no thread can be started, second.get() does the
    // work.
    std::future<rocksdb::Status> second =
        std::async([&] { return LookUp(urls, n / 2, n, is_new); });
    status = LookUp(urls, 0, n / 2, is_new);
    const rocksdb::Status of_second = second.get();
    if (status.ok()) status = of_second;
  }
  if (!status.ok()) return InPath(status);
  std::unordered_set<std::string_view> of_this_call(n);
  for (size_t i = 0; i < n; ++i) {
    if (!is_new[i]) continue;
    is_new[i] = of_this_call.emplace(keys_[i].data(), keys_[i].size()).second;
  }
  return absl::OkStatus();
}

absl::Status ExactFrontier::Remember(const std::string_view* urls, size_t n,
                                     const bool* is_new, uint64_t num_new) {
  // In one batch, so that URLs are remembered, queued and counted together or
  // not at all.
  rocksdb::WriteBatch batch;
  uint64_t tail = head_ + num_queued_;
  for (size_t i = 0; i < n; ++i) {
    if (!is_new[i]) continue;
    batch.Put(families_[kSeen], {keys_[i].data(), keys_[i].size()}, Slice());
    if (options_.keep_queue) {
      batch.Put(families_[kQueue], BigEndian(tail++),
                {urls[i].data(), urls[i].size()});
    }
  }
  batch.Put(families_[kState], kNumSeenKey, BigEndian(num_seen_ + num_new));
  return InPath(db_->Write({}, &batch));
}

absl::StatusOr<std::string> ExactFrontier::TakeOldest() {
  std::string url;
  const std::string key = BigEndian(head_);
  rocksdb::Status status = db_->Get({}, families_[kQueue], key, &url);
  if (status.ok()) status = db_->Delete({}, families_[kQueue], key);
  if (!status.ok()) return InPath(status);
  ++head_;
  return url;
}

}  // namespace

absl::StatusOr<std::unique_ptr<UrlFrontier>> OpenExactFrontier(
    const ExactFrontierOptions& options) {
  if (options.memory_bytes < kMinMemory) {
    return absl::InvalidArgumentError(
        absl::StrCat("an exact frontier needs 8 MiB of memory or more, not ",
                     options.memory_bytes, " bytes"));
  }
  auto frontier = std::make_unique<ExactFrontier>(options);
  absl::Status status = frontier->CheckFolder();
  if (status.ok()) status = frontier->CheckFormat();
  if (status.ok()) {
    status = frontier->OpenDatabase(
        OptionsWithin(options.memory_bytes, options.statistics));
  }
  if (!status.ok()) return status;
  return frontier;
}

}  // namespace oneline
