// Where DB::Open puts the database: a plain pointer before RocksDB 9.11, a
// std::unique_ptr since (11.0 has no other). Callers have the latter with every
// version:
//
//   std::unique_ptr<rocksdb::DB> db;
//   const rocksdb::Status status =
//       rocksdb::DB::Open(options, path, OpenInto(&db));
//
// And the logger of databases that must not have a LOG.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_OPEN_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_OPEN_H_

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <cstdarg>
#include <memory>

#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {

// The last argument of DB::Open and DB::OpenForReadOnly. The database is there
// at the end of the statement that calls them, null after an error.
class OpenInto {
 public:
  explicit OpenInto(std::unique_ptr<rocksdb::DB>* db) : db_(db) {}
  OpenInto(const OpenInto&) = delete;
  OpenInto& operator=(const OpenInto&) = delete;

#if ONELINE_OPENS_UNIQUE_PTR
  operator std::unique_ptr<rocksdb::DB>*() { return db_; }
#else
  ~OpenInto() { db_->reset(opened_); }
  operator rocksdb::DB**() { return &opened_; }
#endif

 private:
  std::unique_ptr<rocksdb::DB>* const db_;
#if !ONELINE_OPENS_UNIQUE_PTR
  rocksdb::DB* opened_ = nullptr;
#endif
};

// Without a logger RocksDB writes a LOG, even into a database that it only
// reads. Where assertions are on, its own logger also ends the program when the
// disk is full.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_OPEN_H_
