// A database of 8-byte keys that grows under RocksDB's own compactions, and
// what its filters let pass, beside what filters of the same bits in all levels
// would let pass in the same tables.

#ifndef ONELINE_BENCH_DATABASES_GROWN_DATABASE_H_
#define ONELINE_BENCH_DATABASES_GROWN_DATABASE_H_

#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <memory>
#include <string>

#include "bench/databases/database.h"
#include "bench/keys/data_set.h"

namespace oneline {

// The order in which keys 0, 1, ... are written. Random and sorted keys differ.
enum class Order { kRandom, kSorted };

// All in one lookup of an absent key.
struct FalsePositives {
  double keys = 0;         // in the tables
  double filter_bits = 0;  // of all filters
  double counted = 0;      // by RocksDB's tickers
  // By the model, from each table's keys and range: with the bits per key of
  // all filters on average, and with 10.
  double uniform = 0, uniform10 = 0;

  FalsePositives& operator+=(const FalsePositives& other);
  double bits_per_key() const { return filter_bits / keys; }
};

class GrownDatabase {
 public:
  // Small buffers and levels, so that a million keys fill three levels. Sorted
  // keys are spread so that `keys` of them fill the range of all keys.
  GrownDatabase(const std::string& path, uint64_t keys,
                const rocksdb::Options& options,
                const rocksdb::BlockBasedTableOptions& table = {});

  // Opens it anew, as after a restart. Errors end the program, here and below.
  void Open(std::shared_ptr<const rocksdb::FilterPolicy> policy);

  // Writes the keys from `first` to `last`; with random ones it also overwrites
  // a tenth as many of those before and deletes a twentieth.
  void Write(uint64_t first, uint64_t last, Order order);

  // Adds a file of the sorted keys from `first` to `last`.
  void Ingest(uint64_t first, uint64_t last);

  // Waits until nothing has been compacted for half a second.
  void Rest();
  void CompactAll();

  // Looks up `count` absent keys.
  FalsePositives LookUpAbsent(uint64_t count);

  // Looks up `count` keys, of which a share of `present` is among the first
  // `written`. Returns the reads that filters wasted for each lookup, by
  // RocksDB's tickers.
  double WastedReads(uint64_t count, double present, uint64_t written,
                     KeyLaw law);

  // Of all filters.
  double BitsPerKey() { return OfTables().bits_per_key(); }

 private:
  std::string KeyAt(uint64_t index, Order order) const;
  // What the filters of all tables take and would let pass.
  FalsePositives OfTables();

  const std::string path_;
  const uint64_t step_;  // between sorted keys
  const bool filters_in_cache_;
  Database database_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_GROWN_DATABASE_H_
