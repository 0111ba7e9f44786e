// The filter policy for RocksDB.
//
//   rocksdb::BlockBasedTableOptions table;
//   oneline::FilterOptions filter;
//   filter.bits_per_key = 10;
//   rocksdb::Status status =
//       oneline::NewRocksDBFilterPolicy(filter, &table.filter_policy);
//   options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));

#ifndef ONELINE_ROCKSDB_FILTER_POLICY_H_
#define ONELINE_ROCKSDB_FILTER_POLICY_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/status.h>

#include <memory>

#include "oneline/filter_options.h"
#include "oneline/version.h"

namespace oneline {
inline namespace ONELINE_ABI {

// An option that is out of bounds gives an InvalidArgument that names it, its
// value and its bounds; a RocksDB of another minor version than the one
// compiled for gives NotSupported. *policy is then null. A null `policy` gives
// InvalidArgument. A filter ends at 2^26 - 1 lines (4 GiB): with more keys it
// has fewer bits per key. If our filters are wrong in this program, which the
// first use finds out, RocksDB's Bloom filter is written; the LOG says so.
//
// Filters in existing tables that RocksDB's own policies wrote stay in use.
// RocksDB without this library ignores our filters: reads stay correct, but
// are not filtered.
//
// Thread-safe. Column families and databases may share a policy, but then they
// share its options: a policy has one set of them. Make one for each database,
// and for each column family whose options are to change by themselves.
//
// Every option can be changed while the database is open; tables written from
// then on follow it. Setting an option unsets those that it excludes:
//   db->SetOptions(cf, {{"table_factory.filter_policy.bits_per_key", "12"}});
// This form works with every version of RocksDB; docs/options.md has others.
rocksdb::Status NewRocksDBFilterPolicy(
    const FilterOptions& options,
    std::shared_ptr<const rocksdb::FilterPolicy>* policy);

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_ROCKSDB_FILTER_POLICY_H_
