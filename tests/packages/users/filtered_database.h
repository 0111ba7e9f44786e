// What the programs do with the policy that they got: a RocksDB database with
// it must have our filters in its tables, and use them.

#ifndef ONELINE_TESTS_PACKAGES_USERS_FILTERED_DATABASE_H_
#define ONELINE_TESTS_PACKAGES_USERS_FILTERED_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>
#include <rocksdb/version.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

inline void Require(bool condition, const std::string& message) {
  if (condition) return;
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(1);
}

inline void Require(const rocksdb::Status& status) {
  Require(status.ok(), status.ToString());
}

// REQUIRES: the policy in `options` is ours with 10 bits per key.
inline void CheckFilteredDatabase(rocksdb::Options options,
                                  const std::string& path) {
  constexpr int kKeys = 100000;
  options.create_if_missing = true;
  options.error_if_exists = true;
  options.statistics = rocksdb::CreateDBStatistics();
#if ROCKSDB_MAJOR >= 11
  std::unique_ptr<rocksdb::DB> db;
  Require(rocksdb::DB::Open(options, path, &db));
#else
  rocksdb::DB* opened = nullptr;
  Require(rocksdb::DB::Open(options, path, &opened));
  const std::unique_ptr<rocksdb::DB> db(opened);
#endif
  const auto key = [](int i) { return "key" + std::to_string(i); };
  for (int i = 0; i < kKeys; ++i) Require(db->Put({}, key(i), "v"));
  Require(db->Flush(rocksdb::FlushOptions()));
  std::string value;
  for (int i = 0; i < kKeys; ++i) {
    Require(db->Get({}, key(i), &value));
    Require(db->Get({}, key(i) + "absent", &value).IsNotFound(),
            "a key that was not written is there");
  }
  // RocksDB's Bloom filter of this size passes 0.97 % of absent keys, ours less
  // than 0.2 %.
  const uint64_t useful =
      options.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL);
  Require(useful > kKeys * 0.995,
          "filters said \"no\" to " + std::to_string(useful) + " absent keys");
}

#endif  // ONELINE_TESTS_PACKAGES_USERS_FILTERED_DATABASE_H_
