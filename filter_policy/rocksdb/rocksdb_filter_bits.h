// RocksDB's interface to builders and readers of filters. Since 7.0 its public
// headers only name these classes. A plugin takes them from RocksDB's source
// tree, which may be that of a fork that changed them. Elsewhere they are
// declared here as in the source of each version: the same virtual functions in
// the same order. For rocksdb_filter_policy.cc, and for code that calls
// policies as RocksDB does.
//
//   7.0.3 to 9.5     the seven functions outside of #if
//   9.6 to 10.8      AddKeyAndAlt in addition
//   10.9 and later   CalculateSpace and EstimatedFpRate in addition
//
// RocksDB's own comments are in table/block_based/filter_policy_internal.h of
// its source.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_FILTER_BITS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_FILTER_BITS_H_

#include <rocksdb/rocksdb_namespace.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include <cstddef>
#include <memory>

#include "filter_policy/rocksdb/rocksdb_version.h"

#ifdef ONELINE_IN_ROCKSDB
#include "table/block_based/filter_policy_internal.h"
#else

namespace ROCKSDB_NAMESPACE {

// Collects keys: (AddKey* Finish MaybePostVerify?)*, one thread at a time.
class FilterBitsBuilder {
 public:
  virtual ~FilterBitsBuilder() = default;

  virtual void AddKey(const Slice& key) = 0;

#if ONELINE_BUILDER_HAS_ALT
  // A key and its prefix. Repetitions of either must be recognised.
  virtual void AddKeyAndAlt(const Slice& key, const Slice& alt) = 0;
#endif

  // The number of distinct keys added since Finish. From 9.6 on RocksDB asks
  // after every key; 0 means that no filter is to be written.
  virtual size_t EstimateEntriesAdded() = 0;

  // The filter of the keys added since the last Finish; `buf` owns the bytes.
  virtual Slice Finish(std::unique_ptr<const char[]>* buf) = 0;
  // `status`, if not null, gets Corruption or OK.
  virtual Slice Finish(std::unique_ptr<const char[]>* buf, Status* status) = 0;

  // Called with what Finish returned.
  virtual Status MaybePostVerify(const Slice& filter) = 0;

  // The maximum number of keys for a filter of at most `bytes`.
  virtual size_t ApproximateNumEntries(size_t bytes) = 0;

#if ONELINE_BUILDER_HAS_SPACE
  virtual size_t CalculateSpace(size_t num_entries) = 0;
  virtual double EstimatedFpRate(size_t num_entries, size_t bytes) = 0;
#endif
};

// Answers lookups from a filter. Called from many threads at once.
class FilterBitsReader {
 public:
  virtual ~FilterBitsReader() = default;

  virtual bool MayMatch(const Slice& key) = 0;
  virtual void MayMatch(int num_keys, Slice** keys, bool* may_match) = 0;
};

}  // namespace ROCKSDB_NAMESPACE

#endif  // ONELINE_IN_ROCKSDB

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_FILTER_BITS_H_
