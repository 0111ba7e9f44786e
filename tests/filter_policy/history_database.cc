#include "tests/filter_policy/history_database.h"

#include <rocksdb/comparator.h>
#include <rocksdb/merge_operator.h>

#include "tests/filter_policy/history_draws.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::DB;
using rocksdb::Status;

}  // namespace

HistoryDatabase::HistoryDatabase(const HistoryWorld& world,
                                 const HistorySetup& setup)
    : world_(world),
      setup_(setup),
      path_(directory_.File("db")),
      statistics_(rocksdb::CreateDBStatistics()) {
  options_.create_if_missing = true;
  options_.statistics = statistics_;
  options_.write_buffer_size = 64 << 10;
  options_.target_file_size_base = 16 << 10;
  options_.max_bytes_for_level_base = 32 << 10;
  options_.level0_file_num_compaction_trigger = 3;
  options_.allow_mmap_reads = setup.layout.mmap;
  options_.optimize_filters_for_hits = setup.for_hits;
  if (setup.large_tables) options_.target_file_size_base = 1 << 20;
  if (world.row_cache) options_.row_cache = rocksdb::NewLRUCache(16 << 10);
  if (world.timestamps) {
    // In no public header before 8.0.
    EXPECT_TRUE(rocksdb::Comparator::CreateFromString(
                    rocksdb::ConfigOptions(),
                    "leveldb.BytewiseComparator.u64ts", &options_.comparator)
                    .ok());
    // Refilter compacts such tables alone.
    options_.disable_auto_compactions = true;
  }
  if (world.universal) {
    options_.compaction_style = rocksdb::kCompactionStyleUniversal;
  }
  if (world.prefixes) {
    options_.prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(kHistoryPrefix));
  }
  EXPECT_TRUE(rocksdb::MergeOperator::CreateFromString(rocksdb::ConfigOptions(),
                                                       "stringappend",
                                                       &options_.merge_operator)
                  .ok());
  NextTimestamp();
  Open();
}

uint64_t HistoryDatabase::useful() const {
  uint64_t sum = 0;
  for (const char* name :
       {"rocksdb.bloom.filter.useful", "rocksdb.bloom.filter.prefix.useful",
        "rocksdb.last.level.seek.filtered",
        "rocksdb.non.last.level.seek.filtered"}) {
    std::map<std::string, uint64_t> tickers;
    if (statistics_->getTickerMap(&tickers)) sum += tickers[name];
  }
  return sum;
}

rocksdb::ColumnFamilyOptions HistoryDatabase::FamilyOptions() {
  const rocksdb::Options laid_out = OptionsFor(
      setup_.layout, Policy() == "nullptr" ? nullptr : PolicyNamed(Policy()));
  auto table =
      *laid_out.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  const bool prefixes_can_be_alone =
      !setup_.layout.partitioned || !kPrefixesNeedWholeKeys;
  table.whole_key_filtering =
      setup_.layout.whole_keys || !world_.prefixes || !prefixes_can_be_alone;
  table.format_version = setup_.format_version;
  table.optimize_filters_for_memory = setup_.for_memory;
  rocksdb::ColumnFamilyOptions options = options_;
  options.compression = laid_out.compression;
  options.compression_opts = laid_out.compression_opts;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

const std::string& HistoryDatabase::Policy() const {
  return setup_.policies[(opened_ - 1) % setup_.policies.size()];
}

std::vector<rocksdb::ColumnFamilyDescriptor> HistoryDatabase::Descriptors() {
  std::vector<std::string> names;
  if (!DB::ListColumnFamilies(options_, path_, &names).ok()) {
    names = {rocksdb::kDefaultColumnFamilyName};
  }
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) {
    descriptors.emplace_back(name, FamilyOptions());
  }
  return descriptors;
}

void HistoryDatabase::Open() {
  ++opened_;
  std::vector<ColumnFamilyHandle*> handles;
  Status status;
  if (world_.transactions) {
    status = rocksdb::TransactionDB::Open(
        options_, rocksdb::TransactionDBOptions(), path_, Descriptors(),
        &handles, &transactions_);
    db_.reset(transactions_);
  } else {
    status = DB::Open(options_, path_, Descriptors(), &handles, OpenInto(&db_));
  }
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (ColumnFamilyHandle* handle : handles) {
    handles_[handle->GetName()] = handle;
  }
}

void HistoryDatabase::Close() {
  if (db_ == nullptr) return;
  for (const rocksdb::Snapshot* snapshot : snapshots_) {
    db_->ReleaseSnapshot(snapshot);
  }
  snapshots_.clear();
  for (const auto& [name, handle] : handles_) {
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
  handles_.clear();
  db_.reset();
  transactions_ = nullptr;
}

std::string HistoryDatabase::Reopen(Random&) {
  Close();
  Open();
  return "opened";
}

ColumnFamilyHandle* HistoryDatabase::Family(Random& random) {
  // Most of it happens in the default family.
  if (Draw(random, 3) > 0) return handles_["default"];
  return std::next(handles_.begin(),
                   Draw(random, static_cast<int>(handles_.size())))
      ->second;
}

// A prefix extractor asserts that RocksDB's iterator meets no key that is
// shorter than a prefix.
std::string HistoryDatabase::WrittenKey(Random& random) const {
  const bool is_short = !world_.prefixes && Draw(random, 20) == 0;
  return is_short ? ShortKey(random) : WrittenLongKey(random);
}

std::string HistoryDatabase::AnyKey(Random& random) const {
  const bool is_short = !world_.prefixes && Draw(random, 20) == 0;
  return is_short ? ShortKey(random) : AnyLongKey(random);
}

rocksdb::ReadOptions HistoryDatabase::Reading() const {
  rocksdb::ReadOptions options;
  if (world_.timestamps) options.timestamp = &reading_slice_;
  return options;
}

std::string HistoryDatabase::NextTimestamp() {
  ++now_;
  reading_.assign(reinterpret_cast<const char*>(&now_), sizeof(now_));
  reading_slice_ = reading_;
  return reading_;
}

const std::vector<HistoryDatabase::Action>& HistoryDatabase::Actions() {
  static const auto* const actions = new std::vector<Action>{
      {"put", 30, &HistoryDatabase::Put},
      {"delete", 8, &HistoryDatabase::Delete},
      {"single delete", 6, &HistoryDatabase::SingleDelete},
      {"merge", 5, &HistoryDatabase::Merge},
      {"delete range", 3, &HistoryDatabase::DeleteRange},
      {"transaction", 6, &HistoryDatabase::Transaction},
      {"get", 30, &HistoryDatabase::Get},
      {"multi get", 20, &HistoryDatabase::MultiGet},
      {"scan", 10, &HistoryDatabase::Scan},
      {"scan backwards", 8, &HistoryDatabase::ScanBackwards},
      {"seek prefix", 20, &HistoryDatabase::SeekPrefix},
      {"snapshot", 3, &HistoryDatabase::Snapshot},
      {"release snapshot", 3, &HistoryDatabase::ReleaseSnapshot},
      {"create family", 2, &HistoryDatabase::CreateFamily},
      {"drop family", 1, &HistoryDatabase::DropFamily},
      {"ingest", 3, &HistoryDatabase::Ingest},
      {"fill", 2, &HistoryDatabase::Fill},
      {"flush", 10, &HistoryDatabase::Flush},
      {"compact", 4, &HistoryDatabase::Compact},
      {"set options", 2, &HistoryDatabase::SetOptions},
      {"refilter", 3, &HistoryDatabase::Refilter},
      {"reopen", 2, &HistoryDatabase::Reopen},
  };
  return *actions;
}

std::string HistoryDatabase::Answer(const Operation& operation) {
  const Action& action = Actions()[operation.action];
  Random random(operation.seed);
  const std::string answer = (this->*action.act)(random);
  if (!answer.empty()) ++done_[action.name];
  return answer;
}

std::ostream& operator<<(std::ostream& out, const Operation& operation) {
  return out << HistoryDatabase::Actions()[operation.action].name << " "
             << operation.seed;
}

History RandomHistory(int operations, std::mt19937_64& random) {
  std::vector<int> weights;
  for (const auto& action : HistoryDatabase::Actions()) {
    weights.push_back(action.weight);
  }
  std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
  History history;
  for (int i = 0; i < operations; ++i) {
    history.push_back({draw(random), random()});
  }
  for (size_t action = 0; action < weights.size(); ++action) {
    const auto at = static_cast<ptrdiff_t>(random() % (history.size() + 1));
    history.insert(history.begin() + at, {action, random()});
  }
  return history;
}

Answers Run(const History& history, const HistoryWorld& world,
            const HistorySetup& setup) {
  HistoryDatabase database(world, setup);
  Answers answers;
  for (const Operation& operation : history) {
    answers.of_operations.push_back(database.Answer(operation));
  }
  answers.useful = database.useful();
  answers.done = database.done();
  return answers;
}

}  // namespace oneline
