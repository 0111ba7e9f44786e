// The filter policy for RocksDB.
//
//   rocksdb::BlockBasedTableOptions table;
//   oneline::FilterOptions filter;
//   filter.bits_per_key = 10;
//   table.filter_policy = oneline::NewRocksDBFilterPolicy(filter);

#ifndef ONELINE_ROCKSDB_FILTER_POLICY_H_
#define ONELINE_ROCKSDB_FILTER_POLICY_H_

#include <rocksdb/filter_policy.h>

#include <memory>

#include "oneline/filter_options.h"

namespace oneline {

// Never null. If an option is out of bounds, DB::Open fails before any table is
// written, with an error that names the option and its bounds. Where RocksDB
// does not check options (CreateColumnFamily, SstFileWriter), writing the first
// table fails with that error.
//
// Filters in existing tables that RocksDB's own policies wrote stay in use.
// RocksDB without this library ignores our filters: reads stay correct, but
// unfiltered.
//
// With Allocation::kAuto, the default, or kMonkey each open database needs a
// policy of its own: the trees of databases that share one count as one tree.
//
// Thread-safe. Every option can be changed while the database is open; tables
// written from then on follow it. Setting an option unsets those that it
// excludes:
//   db->SetOptions(cf, {{"table_factory.filter_policy.bits_per_key", "12"}});
// This form works with every version of RocksDB; docs/options.md says what is
// wrong with others.
std::shared_ptr<const rocksdb::FilterPolicy> NewRocksDBFilterPolicy(
    const FilterOptions& options);

}  // namespace oneline

#endif  // ONELINE_ROCKSDB_FILTER_POLICY_H_
