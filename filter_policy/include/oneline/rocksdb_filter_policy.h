// The filter policy for RocksDB.
//
//   rocksdb::BlockBasedTableOptions table;
//   oneline::FilterOptions filter;
//   filter.bits_per_key = 10;
//   table.filter_policy = oneline::NewRocksDBFilterPolicy(filter);

#ifndef ONELINE_ROCKSDB_FILTER_POLICY_H_
#define ONELINE_ROCKSDB_FILTER_POLICY_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/status.h>

#include <memory>
#include <string>

#include "oneline/filter_options.h"

namespace oneline {

// Never null. Options out of their bounds are reported by DB::Open, before any
// table is written, with an error that names the option and its bounds. Where
// RocksDB does not check options (CreateColumnFamily, SstFileWriter) the first
// table is refused with that error.
//
// SSTs written before with RocksDB's own filters go on being filtered. Without
// this library RocksDB reads all keys of tables written with it, unfiltered.
//
// Thread-safe. Each option can be changed while the database is open, for the
// tables written after that; those that exclude each other take each other's
// place:
//   db->SetOptions(cf, {{"block_based_table_factory",
//                        "{filter_policy={bits_per_key=12}}"}});
std::shared_ptr<const rocksdb::FilterPolicy> NewRocksDBFilterPolicy(
    const FilterOptions& options);

// The same, for the registration of names and for standing in for another
// policy: OPTIONS files then say `saved_as`, and unless that is "oneline" the
// options are neither saved nor changeable. `problem`, if not OK, is what
// DB::Open is to report. The caller owns the result.
rocksdb::FilterPolicy* MakeRocksDBFilterPolicy(const FilterOptions& options,
                                               const std::string& saved_as,
                                               const rocksdb::Status& problem);

}  // namespace oneline

#endif  // ONELINE_ROCKSDB_FILTER_POLICY_H_
