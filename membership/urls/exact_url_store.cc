#include "membership/urls/exact_url_store.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <filesystem>
#include <future>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "membership/urls/exact_url_options.h"
#include "membership/urls/normal_url.h"
#include "membership/urls/url_digest.h"

namespace oneline {
namespace {

using rocksdb::Slice;

constexpr char kFormatKey[] = "format";
constexpr char kFormat[] = "oneline urls 2";
constexpr char kNormalFormat[] = "oneline normal urls 2";
constexpr char kNumSeenKey[] = "num_seen";

// Column families, in this order.
enum Family { kState, kSeen, kQueue };
const std::array<std::string, 3>& FamilyNames() {
  static const auto& names = *new std::array<std::string, 3>{
      rocksdb::kDefaultColumnFamilyName, "seen", "queue"};
  return names;
}

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

// OK if the folder does not exist, is empty, or has only files of a database.
// An error if it has others, so that no database is created among them.
absl::Status CheckFolder(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return absl::OkStatus();
  if (!std::filesystem::is_directory(status)) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": is not a directory"));
  }
  const bool is_database = std::filesystem::exists(path + "/CURRENT");
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    // RocksDB would make a new database and delete the tables.
    if (!is_database && entry.path().extension() == ".sst") {
      return absl::FailedPreconditionError(absl::StrCat(
          path,
          ": has tables, but no file CURRENT: restore it, or use another "
          "directory"));
    }
    if (IsDatabaseFile(entry.path().filename())) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": holds other files, such as ", entry.path().filename().string(),
        "; the database needs a directory of its own"));
  }
  if (error) {
    return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  }
  return absl::OkStatus();
}

// What a database says of itself.
struct Contents {
  std::string format;  // empty: there is none
  uint64_t num_seen = 0;
};

absl::Status Foreign(const std::string& path) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": is the RocksDB database of another program"));
}

// Opens the default column family. An error if there are others than ours.
rocksdb::Status OpenToRead(const std::string& path,
                           std::unique_ptr<rocksdb::DB>* db, bool* is_ours) {
  std::vector<std::string> names;
  const rocksdb::Status listed =
      rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path, &names);
  if (!listed.ok()) return listed;
  const auto& ours = FamilyNames();
  *is_ours = std::all_of(names.begin(), names.end(), [&](const auto& name) {
    return std::find(ours.begin(), ours.end(), name) != ours.end();
  });
  if (!*is_ours) return listed;
  rocksdb::Options options;
  options.info_log = std::make_shared<NoLog>();
  return rocksdb::DB::OpenForReadOnly(options, path, OpenInto(db));
}

// Reads the database in the folder and changes nothing. An error if it is not
// ours. If there is none, or one that has no other column families than ours
// and is empty, which is what an interrupted Open left, its format is empty.
absl::StatusOr<Contents> ReadContents(const std::string& path) {
  Contents contents;
  if (!std::filesystem::exists(path + "/CURRENT")) return contents;
  std::unique_ptr<rocksdb::DB> db;
  bool is_ours = false;
  rocksdb::Status status = OpenToRead(path, &db, &is_ours);
  if (status.ok() && !is_ours) return Foreign(path);
  std::string num_seen;
  for (const auto& [key, value] :
       {std::pair(kFormatKey, &contents.format), {kNumSeenKey, &num_seen}}) {
    if (status.ok()) status = db->Get({}, key, value);
    if (db != nullptr && status.IsNotFound()) status = rocksdb::Status::OK();
  }
  if (!status.ok()) {
    return absl::DataLossError(absl::StrCat(path, ": ", status.ToString()));
  }
  contents.num_seen = FromBigEndian(num_seen);
  if (contents.format == kFormat || contents.format == kNormalFormat) {
    return contents;
  }
  if (!contents.format.empty()) {
    return absl::UnimplementedError(
        absl::StrCat(path, ": this program does not know the format '",
                     contents.format, "'"));
  }
  const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator({}));
  any->SeekToFirst();
  if (any->Valid()) return Foreign(path);
  return contents;
}

}  // namespace

ExactUrlStore::ExactUrlStore(const ExactUrlStoreOptions& options)
    : options_(options) {}

ExactUrlStore::~ExactUrlStore() {
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    db_->DestroyColumnFamilyHandle(family);
  }
}

absl::Status ExactUrlStore::Error(const rocksdb::Status& status) const {
  return absl::UnavailableError(
      absl::StrCat(options_.path, ": ", status.ToString()));
}

absl::StatusOr<std::unique_ptr<ExactUrlStore>> ExactUrlStore::Open(
    const ExactUrlStoreOptions& options) {
  if (options.memory_bytes < kMinMemory) {
    return absl::InvalidArgumentError(
        absl::StrCat("an exact store needs 8 MiB of memory or more, not ",
                     options.memory_bytes, " bytes"));
  }
  std::unique_ptr<ExactUrlStore> store(new ExactUrlStore(options));
  absl::Status status = CheckFolder(options.path);
  if (!status.ok()) return status;
  const absl::StatusOr<Contents> contents = ReadContents(options.path);
  if (!contents.ok()) return contents.status();
  status = store->CheckForm(contents->format);
  if (status.ok()) status = store->OpenDatabase();
  if (status.ok()) status = store->ReadState();
  if (!status.ok()) return status;
  return store;
}

absl::StatusOr<ExactUrlStoreInfo> ExactUrlStore::ReadInfo(
    const std::string& path) {
  const absl::StatusOr<Contents> contents = ReadContents(path);
  if (!contents.ok()) return contents.status();
  return ExactUrlStoreInfo{contents->format == kNormalFormat,
                           contents->num_seen};
}

absl::Status ExactUrlStore::CheckForm(const std::string& format) const {
  const bool was_normal = format == kNormalFormat;
  if (format.empty() || options_.normalize == was_normal) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(options_.path, ": was made ",
                   was_normal ? "with normalize: go on with it"
                              : "without normalize: go on without it"));
}

absl::Status ExactUrlStore::OpenDatabase() {
  const UrlDatabaseOptions options =
      OptionsWithin(options_.memory_bytes, options_.statistics);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (Family family : {kState, kSeen, kQueue}) {
    families.emplace_back(FamilyNames()[family],
                          family == kSeen ? options.seen : options.others);
  }
  const rocksdb::Status status = rocksdb::DB::Open(
      options.database, options_.path, families, &families_, OpenInto(&db_));
  if (!status.ok()) return Error(status);
  const rocksdb::Status named =
      db_->Put({}, families_[kState], kFormatKey,
               options_.normalize ? kNormalFormat : kFormat);
  return named.ok() ? absl::OkStatus() : Error(named);
}

absl::Status ExactUrlStore::ReadState() {
  std::string number;
  const rocksdb::Status found =
      db_->Get({}, families_[kState], kNumSeenKey, &number);
  if (!found.ok() && !found.IsNotFound()) return Error(found);
  num_seen_ = FromBigEndian(number);
  const std::unique_ptr<rocksdb::Iterator> queue(
      db_->NewIterator({}, families_[kQueue]));
  queue->SeekToFirst();
  if (queue->Valid()) head_ = FromBigEndian(queue->key());
  queue->SeekToLast();
  if (queue->Valid()) tail_ = FromBigEndian(queue->key()) + 1;
  return queue->status().ok() ? absl::OkStatus() : Error(queue->status());
}

UrlDigest ExactUrlStore::KeyOf(std::string_view url) const {
  if (!options_.normalize) return DigestOf(url);
  std::string buffer;
  return DigestOf(NormalUrl(url, buffer));
}

rocksdb::Status ExactUrlStore::LookUp(const std::string_view* urls,
                                      size_t begin, size_t end, bool* is_new) {
  urls += begin;
  is_new += begin;
  UrlDigest* const keys = keys_.data() + begin;
  const size_t n = end - begin;
  std::vector<Slice> slices(n);
  for (size_t i = 0; i < n; ++i) {
    keys[i] = KeyOf(urls[i]);
    slices[i] = AsSlice(keys[i]);
  }
  std::vector<rocksdb::PinnableSlice> values(n);
  std::vector<rocksdb::Status> found(n);
  db_->MultiGet({}, families_[kSeen], n, slices.data(), values.data(),
                found.data());
  for (size_t i = 0; i < n; ++i) {
    if (!found[i].ok() && !found[i].IsNotFound()) return found[i];
    is_new[i] = found[i].IsNotFound();
  }
  return rocksdb::Status::OK();
}

absl::Status ExactUrlStore::FindNew(const std::string_view* urls, size_t n,
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
  if (!status.ok()) return Error(status);
  std::unordered_set<UrlDigest, DigestHash> of_this_call(n);
  for (size_t i = 0; i < n; ++i) {
    if (is_new[i]) is_new[i] = of_this_call.insert(keys_[i]).second;
  }
  return absl::OkStatus();
}

absl::Status ExactUrlStore::Remember(const std::string_view* urls, size_t n,
                                     const bool* is_new) {
  const auto num_new =
      static_cast<uint64_t>(std::count(is_new, is_new + n, true));
  if (num_new == 0) return absl::OkStatus();
  assert(keys_.size() == n);
  // In one batch, so that URLs are remembered, queued and counted together or
  // not at all.
  rocksdb::WriteBatch batch;
  uint64_t tail = tail_;
  for (size_t i = 0; i < n; ++i) {
    if (!is_new[i]) continue;
    batch.Put(families_[kSeen], AsSlice(keys_[i]), Slice());
    if (options_.keep_queue) {
      batch.Put(families_[kQueue], BigEndian(tail++), AsSlice(urls[i]));
    }
  }
  batch.Put(families_[kState], kNumSeenKey, BigEndian(num_seen_ + num_new));
  const rocksdb::Status written = db_->Write({}, &batch);
  if (!written.ok()) return Error(written);
  num_seen_ += num_new;
  tail_ = tail;
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> ExactUrlStore::Pop() {
  if (head_ == tail_) return std::nullopt;
  std::string url;
  const std::string key = BigEndian(head_);
  rocksdb::Status status = db_->Get({}, families_[kQueue], key, &url);
  if (status.ok()) status = db_->Delete({}, families_[kQueue], key);
  if (!status.ok()) return Error(status);
  ++head_;
  return url;
}

absl::Status ExactUrlStore::Sync() {
  const rocksdb::Status status = db_->FlushWAL(/*sync=*/true);
  return status.ok() ? absl::OkStatus() : Error(status);
}

}  // namespace oneline
