#include "membership/urls/exact_frontier.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <future>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "membership/urls/exact_options.h"
#include "membership/urls/normal_url.h"

namespace oneline {
namespace {

using rocksdb::Slice;

constexpr char kFormatKey[] = "format";
constexpr char kFormat[] = "oneline urls 2";
constexpr char kNormalFormat[] = "oneline normal urls 2";
constexpr char kNumSeenKey[] = "num_seen";

// Column families, in this order.
enum Family { kState, kSeen, kQueue };
constexpr std::array<const char*, 3> kFamilyNames = {"default", "seen",
                                                     "queue"};

constexpr size_t kMinMemory = size_t{8} << 20;

// From this many URLs on a call uses a second thread, which takes as long to
// start as a few dozen lookups.
constexpr size_t kMinUrlsForTwoThreads = 512;

Slice AsSlice(std::string_view s) { return {s.data(), s.size()}; }
Slice AsSlice(const UrlDigest& s) { return {s.data(), s.size()}; }

// A digest needs no further hashing.
struct DigestHash {
  size_t operator()(const UrlDigest& digest) const {
    size_t hash;
    std::memcpy(&hash, digest.data(), sizeof(hash));
    return hash;
  }
};

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

// Whether a file is named as RocksDB names its files.
bool IsDatabaseFile(const std::string& name) {
  for (const char* prefix :
       {"LOCK", "LOG", "IDENTITY", "CURRENT", "MANIFEST-", "OPTIONS-"}) {
    if (name.rfind(prefix, 0) == 0) return true;
  }
  const std::string extension = std::filesystem::path(name).extension();
  return extension == ".sst" || extension == ".log" || extension == ".dbtmp";
}

absl::Status Foreign(const std::string& path, const std::string& why) {
  return absl::FailedPreconditionError(absl::StrCat(path, ": ", why));
}

// OK if the folder does not exist, is empty, or has only files of a database.
// An error if it has others, so that no database is created among them.
absl::Status CheckFolder(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return absl::OkStatus();
  if (!std::filesystem::is_directory(status)) {
    return Foreign(path, "is not a directory");
  }
  const bool is_database = std::filesystem::exists(path + "/CURRENT");
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    // RocksDB would make a new database and delete the tables.
    if (!is_database && entry.path().extension() == ".sst") {
      return Foreign(path,
                     "has tables, but no file CURRENT: restore it, or use "
                     "another directory");
    }
    const std::string name = entry.path().filename();
    if (!IsDatabaseFile(name)) {
      return Foreign(path, absl::StrCat("holds other files, such as ", name,
                                        "; the database needs a directory of "
                                        "its own"));
    }
  }
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
}

}  // namespace

ExactFrontier::~ExactFrontier() {
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    db_->DestroyColumnFamilyHandle(family);
  }
}

absl::Status ExactFrontier::InPath(const rocksdb::Status& status) const {
  if (status.ok()) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(options_.path, ": ", status.ToString()));
}

absl::StatusOr<std::unique_ptr<ExactFrontier>> ExactFrontier::Open(
    const ExactFrontierOptions& options) {
  if (options.memory_bytes < kMinMemory) {
    return absl::InvalidArgumentError(
        absl::StrCat("an exact frontier needs 8 MiB of memory or more, not ",
                     options.memory_bytes, " bytes"));
  }
  absl::Status status = CheckFolder(options.path);
  if (!status.ok()) return status;
  const absl::StatusOr<ExactFrontierInfo> info = ReadInfo(options.path);
  if (!info.ok()) return info.status();
  if (info->exists && info->normalizes != options.normalize) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.path, ": was made ",
                     info->normalizes ? "with normalize: go on with it"
                                      : "without normalize: go on without it"));
  }
  std::unique_ptr<ExactFrontier> frontier(new ExactFrontier(options));
  status = frontier->OpenDatabase();
  if (status.ok()) status = frontier->ReadState();
  if (!status.ok()) return status;
  return frontier;
}

// Reads the default column family alone. (RocksDB itself refuses to open a
// database with other families than ours.)
absl::StatusOr<ExactFrontierInfo> ExactFrontier::ReadInfo(
    const std::string& path) {
  if (!std::filesystem::exists(path + "/CURRENT")) return ExactFrontierInfo();
  rocksdb::Options options;
  options.info_log = std::make_shared<NoLog>();
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(options, path, OpenInto(&db));
  std::string format, num_seen;
  for (const auto& [key, value] :
       {std::pair(kFormatKey, &format), {kNumSeenKey, &num_seen}}) {
    if (status.ok()) status = db->Get({}, key, value);
    if (db != nullptr && status.IsNotFound()) status = rocksdb::Status::OK();
  }
  bool is_empty = false;
  if (status.ok()) {
    const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator({}));
    any->SeekToFirst();
    is_empty = !any->Valid();
    status = any->status();
  }
  if (!status.ok()) {
    return absl::DataLossError(absl::StrCat(path, ": ", status.ToString()));
  }
  if (format.empty()) {
    // An interrupted Open leaves an empty database.
    if (is_empty) return ExactFrontierInfo();
    return Foreign(path, "is the RocksDB database of another program");
  }
  if (format != kFormat && format != kNormalFormat) {
    return absl::UnimplementedError(absl::StrCat(
        path, ": this program does not know the format '", format, "'"));
  }
  return ExactFrontierInfo{true, format == kNormalFormat,
                           FromBigEndian(num_seen)};
}

absl::Status ExactFrontier::OpenDatabase() {
  const UrlDatabaseOptions options =
      OptionsWithin(options_.memory_bytes, options_.statistics);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (Family family : {kState, kSeen, kQueue}) {
    families.emplace_back(kFamilyNames[family],
                          family == kSeen ? options.seen : options.others);
  }
  const rocksdb::Status status = rocksdb::DB::Open(
      options.database, options_.path, families, &families_, OpenInto(&db_));
  if (!status.ok()) return InPath(status);
  return InPath(db_->Put({}, families_[kState], kFormatKey,
                         options_.normalize ? kNormalFormat : kFormat));
}

absl::Status ExactFrontier::ReadState() {
  std::string number;
  const rocksdb::Status found =
      db_->Get({}, families_[kState], kNumSeenKey, &number);
  if (!found.ok() && !found.IsNotFound()) return InPath(found);
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
    keys_[i] =
        DigestOf(options_.normalize ? NormalUrl(urls[i], normal) : urls[i]);
    slices[i - begin] = AsSlice(keys_[i]);
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
  std::unordered_set<UrlDigest, DigestHash> of_this_call(n);
  for (size_t i = 0; i < n; ++i) {
    if (is_new[i]) is_new[i] = of_this_call.insert(keys_[i]).second;
  }
  return absl::OkStatus();
}

absl::Status ExactFrontier::Remember(const std::string_view* urls, size_t n,
                                     const bool* is_new) {
  const auto num_new =
      static_cast<uint64_t>(std::count(is_new, is_new + n, true));
  if (num_new == 0) return absl::OkStatus();
  // In one batch, so that URLs are remembered, queued and counted together or
  // not at all.
  rocksdb::WriteBatch batch;
  uint64_t tail = head_ + num_queued_;
  for (size_t i = 0; i < n; ++i) {
    if (!is_new[i]) continue;
    batch.Put(families_[kSeen], AsSlice(keys_[i]), Slice());
    if (options_.keep_queue) {
      batch.Put(families_[kQueue], BigEndian(tail++), AsSlice(urls[i]));
    }
  }
  batch.Put(families_[kState], kNumSeenKey, BigEndian(num_seen_ + num_new));
  const rocksdb::Status written = db_->Write({}, &batch);
  if (!written.ok()) return InPath(written);
  num_seen_ += num_new;
  num_queued_ = tail - head_;
  return absl::OkStatus();
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

absl::Status ExactFrontier::Save() {
  return InPath(db_->FlushWAL(/*sync=*/true));
}

}  // namespace oneline
