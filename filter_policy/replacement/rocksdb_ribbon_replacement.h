// The policy that takes the place of RocksDB's Ribbon policy
// (rocksdb_replacement.h).
//
// RocksDB's gives the tables of the first levels Bloom filters, which take more
// bits per key than its Ribbon filters. FilterOptions has one number of bits
// for both kinds, so here are two policies of ours.

#ifndef ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_RIBBON_REPLACEMENT_H_
#define ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_RIBBON_REPLACEMENT_H_

#include <rocksdb/filter_policy.h>

#include <memory>
#include <string>

namespace oneline {

// `id`: the name of RocksDB's policy, for OPTIONS files: "ribbonfilter:10:0".
// `bloom_before_level`: as NewRibbonFilterPolicy takes it; tables before it get
// the filters of `bloom`, others those of `ribbon`. Without `bloom` all tables
// get those of `ribbon`.
std::unique_ptr<rocksdb::FilterPolicy> NewRibbonReplacement(
    const std::string& id, int bloom_before_level,
    std::unique_ptr<const rocksdb::FilterPolicy> ribbon,
    std::unique_ptr<const rocksdb::FilterPolicy> bloom);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_RIBBON_REPLACEMENT_H_
