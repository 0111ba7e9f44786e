// Runs the same random operations on a database with filters, on one without,
// and on a std::map: the answers must be the same. A database can be closed and
// opened again with other filters.

#ifndef ONELINE_TESTS_FILTER_POLICY_DIFFERENTIAL_H_
#define ONELINE_TESTS_FILTER_POLICY_DIFFERENTIAL_H_

#include <rocksdb/memory_allocator.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {

// How a database is opened.
struct Opening {
  TableLayout layout;
  PolicyPtr policy;
  // Of the block cache; null for RocksDB's own.
  std::shared_ptr<rocksdb::MemoryAllocator> allocator;
};

class Differential {
 public:
  Differential(const Opening& opening, const std::mt19937_64& random);

  // Each of these fails the test if an answer is wrong.
  void Run(int steps);
  void Flush();
  void Reopen(const Opening& opening);
  void Reopen() { Reopen(opening_); }

  // Looks keys up in all ways, and expects that filters give some answers.
  void ExpectFiltersUsed();

  const ScratchDatabase& filtered() const { return filtered_; }

 private:
  static rocksdb::Options DatabaseOptions(const Opening& opening,
                                          const PolicyPtr& policy);

  int Draw(int bound) {
    return static_cast<int>(random_() % static_cast<uint64_t>(bound));
  }
  std::string WrittenKey();
  std::string AnyKey();

  // Applies `function` to both databases.
  void Both(const std::function<rocksdb::Status(rocksdb::DB*)>& function);

  void Step();
  void Put();
  void Delete();
  void Merge();
  void PutOrDeleteOnce();
  void Compact();
  void Get();
  void MultiGet(int n);
  void SeekPrefix();
  void Scan();

  void Expect(const rocksdb::Status& status, const rocksdb::Slice& value,
              const std::string& key);
  // Expects that an iterator's entries from `key` on, at most `limit`, are
  // those of the model that are less than `end`.
  void ExpectEntries(const rocksdb::ReadOptions& options,
                     const std::string& key, const std::string& end,
                     size_t limit);
  // The lookups and seeks that filters have answered.
  uint64_t Useful() const;

  Opening opening_;
  std::mt19937_64 random_;
  ScratchDatabase filtered_;
  ScratchDatabase plain_;
  std::map<std::string, std::string> model_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_DIFFERENTIAL_H_
