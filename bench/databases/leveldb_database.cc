#include "bench/databases/leveldb_database.h"

#include <leveldb/write_batch.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace oneline {
namespace {

// More than any flush has, so tables are written only where Load asks for them.
constexpr size_t kWriteBufferBytes = size_t{1} << 30;
constexpr uint64_t kTableBytes = uint64_t{2} << 20;  // the default
constexpr size_t kBatch = 1000;

leveldb::Slice AsSlice(std::string_view s) { return {s.data(), s.size()}; }

uint64_t TakeVarint(std::string_view* bytes) {
  uint64_t number = 0;
  for (int shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes->front());
    bytes->remove_prefix(1);
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return number;
}

struct TableFilter {
  std::string policy;  // its name; empty if the table has no filter
  uint64_t bytes = 0;  // of the filter block, including the offsets of filters
};

// LevelDB has no function for that. A table's footer of 48 bytes begins with
// the offset of a block that has the filter's entry alone (its
// doc/table_format.md).
TableFilter FilterOf(const std::filesystem::path& table) {
  constexpr size_t kFooterBytes = 48;
  constexpr std::string_view kPrefix = "filter.";
  std::ostringstream text;
  text << std::ifstream(table, std::ios::binary).rdbuf();
  const std::string bytes = text.str();
  std::string_view rest = bytes;
  rest.remove_prefix(rest.size() - std::min(rest.size(), kFooterBytes));
  rest = std::string_view(bytes).substr(
      std::min<uint64_t>(TakeVarint(&rest), bytes.size()));
  TakeVarint(&rest);  // of the name, what it shares with the one before
  const uint64_t name_bytes = TakeVarint(&rest);
  TakeVarint(&rest);  // the size of the value
  const std::string_view name = rest.substr(0, name_bytes);
  if (name.substr(0, kPrefix.size()) != kPrefix) return {};
  rest.remove_prefix(name.size());
  TakeVarint(&rest);  // the filter's offset
  return {std::string(name.substr(kPrefix.size())), TakeVarint(&rest)};
}

}  // namespace

FixedTree LevelDBTree() {
  return {{{2, 1, 0.86}, {1, 4, 0.02}, {0, 3, 0.02}}, kTableBytes};
}

// LevelDB has no counters, so this policy counts LevelDB's calls.
class LevelDBDatabase::CountedFilter final : public leveldb::FilterPolicy {
 public:
  explicit CountedFilter(const leveldb::FilterPolicy* policy)
      : policy_(policy) {}

  const char* Name() const override { return policy_->Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n,
                    std::string* dst) const override {
    policy_->CreateFilter(keys, n, dst);
  }
  bool KeyMayMatch(const leveldb::Slice& key,
                   const leveldb::Slice& filter) const override {
    const bool match = policy_->KeyMayMatch(key, filter);
    checks.fetch_add(1, std::memory_order_relaxed);
    if (!match) skipped.fetch_add(1, std::memory_order_relaxed);
    return match;
  }

  mutable std::atomic<uint64_t> checks{0};
  mutable std::atomic<uint64_t> skipped{0};

 private:
  const leveldb::FilterPolicy* const policy_;
};

LevelDBDatabase::LevelDBDatabase(
    std::string name, std::string directory,
    std::shared_ptr<const leveldb::FilterPolicy> filter)
    : Database(std::move(name)),
      directory_(std::move(directory)),
      filter_(std::move(filter)) {
  if (filter_ != nullptr) {
    counted_filter_ = std::make_unique<CountedFilter>(filter_.get());
  }
}

LevelDBDatabase::~LevelDBDatabase() { Close(); }

absl::Status LevelDBDatabase::Error(const leveldb::Status& status) const {
  return Error(status.ToString());
}

absl::Status LevelDBDatabase::Open(const Reads& reads) {
  Close();
  block_cache_.reset(leveldb::NewLRUCache(reads.block_cache_bytes));
  env_.set_direct_reads(reads.direct);
  leveldb::Options options;
  options.create_if_missing = true;
  options.env = &env_;
  options.write_buffer_size = kWriteBufferBytes;
  options.max_file_size = kTableBytes;
  options.compression = leveldb::kNoCompression;
  options.block_cache = block_cache_.get();
  options.filter_policy = counted_filter_.get();
  leveldb::DB* db = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, directory_, &db);
  if (!status.ok()) return Error(status);
  db_.reset(db);
  env_.WaitUntilIdle();
  return absl::OkStatus();
}

void LevelDBDatabase::Close() {
  // LevelDB waits for the work that it has scheduled.
  env_.ReleaseBackgroundWork();
  db_.reset();
  block_cache_.reset();
}

absl::StatusOr<WriteCost> LevelDBDatabase::Load(const Records& records,
                                                const LoadPlan& plan,
                                                Progress* progress) {
  WriteCost cost;
  entries_ = records.size();
  absl::Status status = Open(Reads{});
  size_t flush = 0;
  for (const Generation& generation : plan.tree.generations) {
    const Stopwatch flushing(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < generation.num_flushes && status.ok(); ++i, ++flush) {
      status = WriteFlush(records, plan, flush, progress);
    }
    cost.flushes += flushing.Elapsed();
    const Stopwatch compacting(CLOCK_PROCESS_CPUTIME_ID);
    if (generation.level > 1 && status.ok()) PushDown();
    cost.compactions += compacting.Elapsed();
  }
  Close();
  if (!status.ok()) return status;
  progress->Advance(plan.entries_written() - records.size());
  return cost;
}

// The first call compacts everything into level 1, from which LevelDB then
// moves on what exceeds the level's size. How many tables that is depends on
// the size of filters; the second call moves the others.
void LevelDBDatabase::PushDown() {
  for (int call = 0; call < 2; ++call) {
    db_->CompactRange(nullptr, nullptr);
    env_.WaitUntilIdle();
  }
}

// Writes the records of a flush, then opens the database again, which writes
// its log to a table of level 0. LevelDB's own flush may choose a deeper level.
absl::Status LevelDBDatabase::WriteFlush(const Records& records,
                                         const LoadPlan& plan, size_t flush,
                                         Progress* progress) {
  leveldb::WriteBatch batch;
  leveldb::Status status;
  size_t in_batch = 0;
  const auto write = [&] {
    status = db_->Write(leveldb::WriteOptions(), &batch);
    progress->Advance(in_batch);
    batch.Clear();
    in_batch = 0;
  };
  for (const uint32_t i : plan.flushes[flush]) {
    batch.Put(AsSlice(records.key(i)), AsSlice(records.value(i)));
    if (++in_batch == kBatch) write();
    if (!status.ok()) break;
  }
  if (status.ok() && in_batch > 0) write();
  return status.ok() ? Open(Reads{}) : Error(status);
}

absl::Status LevelDBDatabase::OpenForLookups(const Reads& reads) {
  absl::Status status = Open(reads);
  if (!status.ok()) return status;
  env_.HoldBackgroundWork();
  status = ReadAllBlocks(reads.warm);
  if (status.ok()) status = ReadShape();
  if (status.ok()) status = CheckFilters();
  if (status.ok()) TakeCounts();
  return status;
}

// Also opens all tables, so that this is not counted as reads of lookups.
absl::Status LevelDBDatabase::ReadAllBlocks(bool keep) {
  leveldb::ReadOptions options;
  options.fill_cache = keep;
  const std::unique_ptr<leveldb::Iterator> all(db_->NewIterator(options));
  for (all->SeekToFirst(); all->Valid(); all->Next()) {
  }
  return all->status().ok() ? absl::OkStatus() : Error(all->status());
}

// The property has a line for each level and each table:
//   --- level 1 ---
//    5:2120000['first key' @ 7 : 1 .. 'last key' @ 9 : 1]
// The number of entries is not among them. The size depends on the filter and
// is left out; the keys and the level say which records a table has.
absl::Status LevelDBDatabase::ReadShape() {
  std::string text;
  if (!db_->GetProperty("leveldb.sstables", &text)) {
    return Error("LevelDB has no property of its tables");
  }
  tables_.clear();
  int level = -1;
  for (const auto line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (absl::StartsWith(line, "--- level")) {
      ++level;
      continue;
    }
    const std::pair<std::string, std::string> range = absl::StrSplit(
        line.substr(line.find('[') + 1), absl::MaxSplits(" .. ", 1));
    tables_.emplace_back(level, 0, range.first, range.second);
  }
  return absl::OkStatus();
}

absl::Status LevelDBDatabase::CheckFilters() {
  const std::string wanted = has_filter() ? filter_->Name() : "";
  filter_bytes_ = 0;
  std::error_code error;
  for (const auto& file :
       std::filesystem::directory_iterator(directory_, error)) {
    if (file.path().extension() != ".ldb") continue;
    const TableFilter filter = FilterOf(file.path());
    const absl::Status status =
        AddFilter(file.path().string(), filter.bytes, filter.policy, wanted);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status LevelDBDatabase::Get(const Lookup& lookup) {
  std::string value;
  const leveldb::Status status =
      db_->Get(leveldb::ReadOptions(), AsSlice(lookup.key), &value);
  if (status.IsNotFound()) return CheckAnswer(lookup, {});
  if (!status.ok()) return Error(status);
  ++found_;
  return CheckAnswer(lookup, std::string_view(value));
}

LookupCounts LevelDBDatabase::TakeCounts() {
  LookupCounts counts;
  if (has_filter()) {
    counts.checks = counted_filter_->checks.exchange(0);
    counts.skipped = counted_filter_->skipped.exchange(0);
    counts.true_positives = found_;
  }
  found_ = 0;
  counts.block_reads = env_.TakeReads();
  return counts;
}

}  // namespace oneline
