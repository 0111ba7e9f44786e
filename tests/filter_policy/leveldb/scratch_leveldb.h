// A LevelDB database in a temporary directory, and a policy that counts
// LevelDB's calls: LevelDB itself counts nothing.

#ifndef ONELINE_TESTS_FILTER_POLICY_LEVELDB_SCRATCH_LEVELDB_H_
#define ONELINE_TESTS_FILTER_POLICY_LEVELDB_SCRATCH_LEVELDB_H_

#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/options.h>
#include <leveldb/slice.h>

#include <mutex>

#include "oneline/filter_options.h"
#include "oneline/leveldb_filter_policy.h"
#include "tests/testing.h"

namespace oneline {

// Our policy. Fails the test if the options are wrong.
inline const leveldb::FilterPolicy* OurLevelDBPolicy(
    const FilterOptions& options = {}) {
  const leveldb::FilterPolicy* policy = nullptr;
  EXPECT_TRUE(IsOk(NewLevelDBFilterPolicy(options, &policy)));
  return policy;
}

// Passes every call on to another policy and counts it.
class CountingPolicy final : public leveldb::FilterPolicy {
 public:
  // Takes ownership.
  explicit CountingPolicy(const leveldb::FilterPolicy* policy)
      : policy_(policy) {}
  explicit CountingPolicy(const FilterOptions& options)
      : policy_(OurLevelDBPolicy(options)) {}

  const char* Name() const override { return policy_->Name(); }

  void CreateFilter(const leveldb::Slice* keys, int n,
                    std::string* dst) const override {
    const size_t begin = dst->size();
    policy_->CreateFilter(keys, n, dst);
    const std::lock_guard<std::mutex> lock(mutex_);
    filters_.push_back(dst->substr(begin));
  }

  bool KeyMayMatch(const leveldb::Slice& key,
                   const leveldb::Slice& filter) const override {
    ++queried_;
    const bool may_match = policy_->KeyMayMatch(key, filter);
    refused_ += may_match ? 0 : 1;
    return may_match;
  }

  // The number of lookups in filters, and of those answered "no".
  size_t queried() const { return queried_; }
  size_t refused() const { return refused_; }

  // All filters built.
  std::vector<std::string> filters() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return filters_;
  }

 private:
  const std::unique_ptr<const leveldb::FilterPolicy> policy_;
  mutable std::atomic<size_t> queried_{0};
  mutable std::atomic<size_t> refused_{0};
  mutable std::mutex mutex_;
  mutable std::vector<std::string> filters_;
};

class ScratchLevelDB {
 public:
  ScratchLevelDB() {
    options_.create_if_missing = true;
    options_.compression = leveldb::kNoCompression;
  }

  leveldb::Options& options() { return options_; }
  const std::string& path() const { return directory_.path(); }

  // Closes the database and opens it again with this policy, which must live
  // until the next Open or Close. An error fails the test.
  leveldb::DB* Open(const leveldb::FilterPolicy* policy) {
    Close();
    options_.filter_policy = policy;
    leveldb::DB* db = nullptr;
    EXPECT_TRUE(IsOk(leveldb::DB::Open(options_, directory_.path(), &db)));
    db_.reset(db);
    return db;
  }
  void Close() { db_.reset(); }

  leveldb::DB* operator->() const { return db_.get(); }

  // The value, or "-" if there is none; an error fails the test.
  std::string Get(const std::string& key,
                  const leveldb::Snapshot* snapshot = nullptr) const {
    leveldb::ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    const leveldb::Status status = db_->Get(options, key, &value);
    EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
    return status.ok() ? value : "-";
  }

  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(IsOk(db_->Put(leveldb::WriteOptions(), key, value)));
  }

  // Writes everything into tables.
  void Compact() { db_->CompactRange(nullptr, nullptr); }

 private:
  TemporaryDirectory directory_;
  leveldb::Options options_;
  std::unique_ptr<leveldb::DB> db_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_LEVELDB_SCRATCH_LEVELDB_H_
