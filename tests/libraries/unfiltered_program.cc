// A program that asks for no filter, and knows nothing of this library: for
// tests of what it gets when the library is preloaded.
//
//   unfiltered_program write DIRECTORY   makes column families and their tables
//   unfiltered_program HOW DIRECTORY     opens them; HOW is open, readonly,
//                                        secondary, transaction or optimistic
//
// Prints a line for each family: its name; its filter policy; how many of its
// keys are found, of as many absent ones, and of the keys after those by
// seeking; and how many lookups a filter answered.

#include <rocksdb/comparator.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction_db.h>
#include <strings.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"

namespace {

using rocksdb::ColumnFamilyDescriptor;
using rocksdb::ColumnFamilyHandle;
using rocksdb::DB;

constexpr int kKeys = 2000;

void Require(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

// To it "KEY" and "key" are the same. It does not say so: the default is that
// keys of different bytes may be equal.
class CaselessComparator final : public rocksdb::Comparator {
 public:
  const char* Name() const override { return "caseless"; }
  int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
    return strcasecmp(a.ToString().c_str(), b.ToString().c_str());
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

std::shared_ptr<rocksdb::TableFactory> Tables(
    const rocksdb::FilterPolicy* policy = nullptr) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(policy);
  return std::shared_ptr<rocksdb::TableFactory>(
      rocksdb::NewBlockBasedTableFactory(table));
}

std::vector<ColumnFamilyDescriptor> Families() {
  static const CaselessComparator caseless;
  const std::shared_ptr<rocksdb::TableFactory> shared = Tables();
  std::vector<ColumnFamilyDescriptor> families(5);
  for (auto& family : families) family.options.table_factory = shared;
  families[1].name = "plain";
  families[2].name = "bloom";
  families[2].options.table_factory = Tables(rocksdb::NewBloomFilterPolicy(10));
  families[3].name = "caseless";
  families[3].options.comparator = &caseless;
  families[4].name = "prefixed";
  families[4].options.prefix_extractor.reset(
      rocksdb::NewFixedPrefixTransform(9));
  return families;
}

// Odd numbers are never written.
std::string Key(int number) {
  char key[16];
  std::snprintf(key, sizeof(key), "key%06d", number);
  return key;
}

void Write(DB* db, ColumnFamilyHandle* family) {
  for (int i = 0; i < kKeys; ++i) {
    Require(db->Put(rocksdb::WriteOptions(), family, Key(2 * i), "value"));
  }
  Require(db->Flush(rocksdb::FlushOptions(), family));
}

std::string PolicyOf(const rocksdb::ColumnFamilyOptions& options) {
  const auto& policy =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
          ->filter_policy;
  return policy == nullptr ? "none" : policy->Name();
}

void Print(DB* db, ColumnFamilyHandle* family) {
  const auto statistics = db->GetDBOptions().statistics;
  statistics->getAndResetTickerCount(rocksdb::BLOOM_FILTER_USEFUL);
  const rocksdb::ReadOptions read;
  const std::unique_ptr<rocksdb::Iterator> seek(db->NewIterator(read, family));
  int present = 0, absent = 0, sought = 0;
  for (int i = 0; i < kKeys; ++i) {
    std::string key = Key(2 * i), value;
    if (family->GetName() == "caseless") {
      for (char& c : key) c = static_cast<char>(std::toupper(c));
    }
    if (db->Get(read, family, key, &value).ok()) ++present;
    if (db->Get(read, family, Key(2 * i + 1), &value).ok()) ++absent;
    seek->Seek(Key(2 * i + 1));
    if (seek->Valid() && seek->key() == Key(2 * i + 2)) ++sought;
  }
  const unsigned long useful =
      statistics->getAndResetTickerCount(rocksdb::BLOOM_FILTER_USEFUL);
  std::printf("%s %s %d %d %d %lu\n", family->GetName().c_str(),
              PolicyOf(db->GetOptions(family)).c_str(), present, absent, sought,
              useful);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string how = argv[1], path = argv[2];
  std::vector<ColumnFamilyDescriptor> families = Families();
  std::vector<ColumnFamilyHandle*> handles;
  rocksdb::DBOptions options;
  options.statistics = rocksdb::CreateDBStatistics();
  std::unique_ptr<DB> db;
  if (how == "write") {
    options.create_if_missing = true;
    Require(DB::Open(rocksdb::Options(options, families[0].options), path,
                     oneline::OpenInto(&db)));
    handles.resize(families.size());
    handles[0] = db->DefaultColumnFamily();
    for (size_t i = 1; i < families.size(); ++i) {
      Require(db->CreateColumnFamily(families[i].options, families[i].name,
                                     &handles[i]));
    }
    for (ColumnFamilyHandle* family : handles) Write(db.get(), family);
  } else if (how == "open") {
    Require(
        DB::Open(options, path, families, &handles, oneline::OpenInto(&db)));
  } else if (how == "readonly") {
    Require(DB::OpenForReadOnly(options, path, families, &handles,
                                oneline::OpenInto(&db)));
  } else if (how == "secondary") {
    options.max_open_files = -1;
    Require(DB::OpenAsSecondary(options, path, path + "-secondary", families,
                                &handles, oneline::OpenInto(&db)));
  } else if (how == "transaction") {
    rocksdb::TransactionDB* opened = nullptr;
    Require(rocksdb::TransactionDB::Open(options,
                                         rocksdb::TransactionDBOptions(), path,
                                         families, &handles, &opened));
    db.reset(opened);
  } else if (how == "optimistic") {
    rocksdb::OptimisticTransactionDB* opened = nullptr;
    Require(rocksdb::OptimisticTransactionDB::Open(options, path, families,
                                                   &handles, &opened));
    db.reset(opened);
  } else {
    return 2;
  }
  for (ColumnFamilyHandle* family : handles) Print(db.get(), family);
  if (PolicyOf(families[1].options) != "none") {
    std::printf("the program's own options were changed\n");
  }
  for (ColumnFamilyHandle* family : handles) {
    if (family == db->DefaultColumnFamily()) continue;
    Require(db->DestroyColumnFamilyHandle(family));
  }
  return 0;
}
