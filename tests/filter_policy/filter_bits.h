// Calls a filter policy, ours or another, as RocksDB does: gets builders and
// readers from it and uses them through RocksDB's hidden interface.

#ifndef ONELINE_TESTS_FILTER_POLICY_FILTER_BITS_H_
#define ONELINE_TESTS_FILTER_POLICY_FILTER_BITS_H_

#include <rocksdb/table.h>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tests/filter_policy/policies.h"

namespace oneline {

using BuilderPtr = std::unique_ptr<rocksdb::FilterBitsBuilder>;
using ReaderPtr = std::unique_ptr<rocksdb::FilterBitsReader>;
using Keys = std::vector<std::string>;

// As the tables of these options get it; null if the policy wants no filter.
inline BuilderPtr NewBuilder(const PolicyPtr& policy,
                             const rocksdb::BlockBasedTableOptions& table,
                             rocksdb::Logger* log = nullptr) {
  rocksdb::FilterBuildingContext context(table);
  context.info_log = log;
  context.column_family_name = "family";
  return BuilderPtr(policy->GetBuilderWithContext(context));
}

// `verify` is the table option
// detect_filter_construct_corruption.
inline BuilderPtr NewBuilder(const PolicyPtr& policy, bool verify = false) {
  rocksdb::BlockBasedTableOptions table;
  table.detect_filter_construct_corruption = verify;
  // The default since 9.2, with which the sizes of RocksDB's filters depend on
  // the filters built before.
  table.optimize_filters_for_memory = false;
  return NewBuilder(policy, table);
}

inline ReaderPtr NewReader(const PolicyPtr& policy,
                           const rocksdb::Slice& block) {
  return ReaderPtr(policy->GetFilterBitsReader(block));
}

inline void AddKeys(const Keys& keys, rocksdb::FilterBitsBuilder* builder) {
  for (const std::string& key : keys) builder->AddKey(key);
}

inline std::string FinishBlock(rocksdb::FilterBitsBuilder* builder) {
  std::unique_ptr<const char[]> owner;
  return builder->Finish(&owner).ToString();
}

inline std::string BuildBlock(const PolicyPtr& policy, const Keys& keys) {
  const BuilderPtr builder = NewBuilder(policy);
  AddKeys(keys, builder.get());
  return FinishBlock(builder.get());
}

// `n` keys. Sets with different names have no key in common.
inline Keys MakeKeys(const std::string& set, size_t n) {
  Keys keys;
  for (size_t i = 0; i < n; ++i) keys.push_back(set + std::to_string(i));
  return keys;
}

// The filter of n keys in a table of this format.
inline std::string BlockOfKeys(const PolicyPtr& policy, size_t n,
                               uint32_t format_version = 5) {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = format_version;
  const BuilderPtr builder = NewBuilder(policy, table);
  AddKeys(MakeKeys("key", n), builder.get());
  return FinishBlock(builder.get());
}

// How many of the keys pass the filter.
inline size_t CountMatches(const Keys& keys,
                           rocksdb::FilterBitsReader* reader) {
  size_t matches = 0;
  for (const std::string& key : keys) matches += reader->MayMatch(key);
  return matches;
}

// The answers to one lookup of all keys in a batch.
inline std::vector<bool> MatchBatch(const Keys& keys,
                                    rocksdb::FilterBitsReader* reader) {
  std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::Slice*> pointers;
  for (rocksdb::Slice& slice : slices) pointers.push_back(&slice);
  const std::unique_ptr<bool[]> answers(new bool[keys.size()]());
  reader->MayMatch(static_cast<int>(keys.size()), pointers.data(),
                   answers.get());
  return std::vector<bool>(answers.get(), answers.get() + keys.size());
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_FILTER_BITS_H_
