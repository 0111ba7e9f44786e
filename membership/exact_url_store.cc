#include "membership/exact_url_store.h"

#include <openssl/evp.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb_filter_policy.h"
#include "membership/normal_url.h"

namespace oneline {
namespace {

using rocksdb::Slice;

constexpr char kFormatKey[] = "format";
constexpr char kFormat[] = "oneline urls 1";
constexpr char kNormalFormat[] = "oneline normal urls 1";
constexpr char kNumSeenKey[] = "num_seen";

// Column families, in this order.
enum Family { kState, kSeen, kQueue };
const std::array<std::string, 3>& FamilyNames() {
  static const auto& names = *new std::array<std::string, 3>{
      rocksdb::kDefaultColumnFamilyName, "seen", "queue"};
  return names;
}

constexpr size_t kLongestKey = 1024;
// One shard: filters are larger than the 512 KiB of RocksDB's usual shards,
// which would never keep them.
constexpr int kCacheShardBits = 0;
constexpr size_t kLeastMemory = size_t{8} << 20;

Slice AsSlice(std::string_view s) { return {s.data(), s.size()}; }

std::string ShortKey(std::string_view url) {
  std::string key(url.substr(0, kLongestKey));
  if (url.size() <= kLongestKey) return key;
  std::array<char, 32> digest = {};
  EVP_Digest(url.data(), url.size(),
             reinterpret_cast<unsigned char*>(digest.data()), nullptr,
             EVP_sha256(), nullptr);
  return key.append(digest.data(), digest.size());
}

// Numbers in the queue's order.
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

// Memtables of 16 MiB are in part in the processor's caches, and filled faster
// than larger ones.
constexpr size_t kMostWriteBuffer = size_t{16} << 20;
// A file's filter is built and read whole. In 64 MB, RocksDB's usual size,
// there can be 20 million short URLs, whose hashes alone take 160 MB meanwhile.
constexpr size_t kMostFile = size_t{16} << 20;

rocksdb::ColumnFamilyOptions FamilyOptions(
    Family family, const std::shared_ptr<rocksdb::Cache>& cache,
    size_t memory) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  // So that all memory is the cache's, and so bounded.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  if (family == kSeen) table.filter_policy = NewRocksDBFilterPolicy({});
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.write_buffer_size = std::min(memory / 4, kMostWriteBuffer);
  options.target_file_size_base = std::min(memory / 16, kMostFile);
  options.max_bytes_for_level_base = memory;
  options.level_compaction_dynamic_level_bytes = true;
  if (family == kSeen) {
    // New URLs don't even search the memtable.
    options.memtable_whole_key_filtering = true;
    options.memtable_prefix_bloom_size_ratio = 0.05;
  }
  return options;
}

rocksdb::DBOptions DatabaseOptions(
    const ExactUrlStoreOptions& options,
    const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::DBOptions db;
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.statistics = options.statistics;
  db.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(
      options.memory_bytes / 2, cache);
  db.allow_concurrent_memtable_write = false;  // there is one writer
  db.max_background_jobs = 2;
  db.max_open_files = 1000;
  db.keep_log_file_num = 2;
  return db;
}

// Whether RocksDB gives files such names.
bool IsDatabaseFile(const std::string& name) {
  for (const char* prefix :
       {"LOCK", "LOG", "IDENTITY", "CURRENT", "MANIFEST-", "OPTIONS-"}) {
    if (name.rfind(prefix, 0) == 0) return true;
  }
  const std::string extension = std::filesystem::path(name).extension();
  return extension == ".sst" || extension == ".log" || extension == ".dbtmp";
}

// That the folder is empty, or what an interrupted Open left, or ours: nobody
// wants his other files among those of a database.
absl::Status CheckFolder(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return absl::OkStatus();
  if (!std::filesystem::is_directory(status)) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": is no folder"));
  }
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (IsDatabaseFile(entry.path().filename())) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": holds other files, as ", entry.path().filename().string(),
        "; a folder of its own is wanted"));
  }
  if (error) {
    return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  }
  return absl::OkStatus();
}

// The format of the database in the folder, empty if there is none, looked at
// without changing it; an error if the database is not ours. One with some of
// our families and nothing in it is ours, without a format: Open was
// interrupted.
absl::StatusOr<std::string> ReadFormat(const std::string& path) {
  if (!std::filesystem::exists(path + "/CURRENT")) return "";
  const absl::Status foreign = absl::FailedPreconditionError(
      absl::StrCat(path, ": is the RocksDB database of another program"));
  std::vector<std::string> names;
  const rocksdb::Status listed =
      rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path, &names);
  if (!listed.ok()) {
    return absl::DataLossError(absl::StrCat(path, ": ", listed.ToString()));
  }
  for (const std::string& name : names) {
    const auto& ours = FamilyNames();
    if (std::find(ours.begin(), ours.end(), name) == ours.end()) return foreign;
  }
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(rocksdb::Options(), path, &opened);
  if (!status.ok()) {
    return absl::DataLossError(absl::StrCat(path, ": ", status.ToString()));
  }
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::string format;
  if (db->Get({}, kFormatKey, &format).ok()) {
    if (format == kFormat || format == kNormalFormat) return format;
    return absl::UnimplementedError(absl::StrCat(
        path, ": format '", format, "' is unknown to this program"));
  }
  const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator({}));
  any->SeekToFirst();
  if (any->Valid()) return foreign;
  return "";
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
  if (options.memory_bytes < kLeastMemory) {
    return absl::InvalidArgumentError(
        absl::StrCat("an exact store needs 8 MiB of memory or more, not ",
                     options.memory_bytes, " bytes"));
  }
  std::unique_ptr<ExactUrlStore> store(new ExactUrlStore(options));
  absl::Status status = CheckFolder(options.path);
  if (!status.ok()) return status;
  const absl::StatusOr<std::string> format = ReadFormat(options.path);
  if (!format.ok()) return format.status();
  status = store->CheckForm(*format);
  if (status.ok()) status = store->OpenDatabase();
  if (status.ok()) status = store->ReadState();
  if (!status.ok()) return status;
  return store;
}

absl::Status ExactUrlStore::CheckForm(const std::string& format) {
  const bool was_normal = format == kNormalFormat;
  normalize_ = options_.normalize.value_or(was_normal);
  if (format.empty() || normalize_ == was_normal) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(options_.path, ": was made ",
                   was_normal ? "with normalize: go on with it"
                              : "without normalize: go on without it"));
}

absl::Status ExactUrlStore::OpenDatabase() {
  const std::shared_ptr<rocksdb::Cache> cache =
      rocksdb::NewLRUCache(options_.memory_bytes, kCacheShardBits);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (Family family : {kState, kSeen, kQueue}) {
    families.emplace_back(FamilyNames()[family],
                          FamilyOptions(family, cache, options_.memory_bytes));
  }
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(DatabaseOptions(options_, cache), options_.path,
                        families, &families_, &opened);
  db_.reset(opened);
  if (!status.ok()) return Error(status);
  const rocksdb::Status named = db_->Put({}, families_[kState], kFormatKey,
                                         normalize_ ? kNormalFormat : kFormat);
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

std::string ExactUrlStore::KeyOf(std::string_view url) const {
  if (!normalize_) return ShortKey(url);
  std::string buffer;
  return ShortKey(NormalUrl(url, buffer));
}

absl::Status ExactUrlStore::FindNew(const std::string_view* urls, size_t n,
                                    bool* is_new) {
  std::vector<std::string> keys(n);
  std::transform(urls, urls + n, keys.begin(),
                 [this](std::string_view url) { return KeyOf(url); });
  std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> values(n);
  std::vector<rocksdb::Status> found(n);
  db_->MultiGet({}, families_[kSeen], n, slices.data(), values.data(),
                found.data());
  std::unordered_set<std::string_view> of_this_call;
  for (size_t i = 0; i < n; ++i) {
    if (!found[i].ok() && !found[i].IsNotFound()) return Error(found[i]);
    is_new[i] = found[i].IsNotFound() && of_this_call.insert(keys[i]).second;
  }
  return absl::OkStatus();
}

absl::Status ExactUrlStore::Remember(const std::string_view* urls, size_t n,
                                     const bool* is_new) {
  const auto num_new =
      static_cast<uint64_t>(std::count(is_new, is_new + n, true));
  if (num_new == 0) return absl::OkStatus();
  // One batch: seen, queued and counted together or not at all.
  rocksdb::WriteBatch batch;
  uint64_t tail = tail_;
  std::vector<std::string> keys;
  keys.reserve(num_new);
  for (size_t i = 0; i < n; ++i) {
    if (!is_new[i]) continue;
    keys.push_back(KeyOf(urls[i]));
    if (options_.keep_queue) {
      batch.Put(families_[kQueue], BigEndian(tail++), AsSlice(urls[i]));
    }
  }
  // In the order of the memtable, where each is then found near the last one.
  std::sort(keys.begin(), keys.end());
  for (const std::string& key : keys) batch.Put(families_[kSeen], key, Slice());
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

absl::Status ExactUrlStore::Compact() {
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    const rocksdb::Status status =
        db_->CompactRange({}, family, nullptr, nullptr);
    if (!status.ok()) return Error(status);
  }
  return absl::OkStatus();
}

}  // namespace oneline
