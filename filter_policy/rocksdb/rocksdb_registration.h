// The names by which OPTIONS files, ldb and db_bench know our policy:
//
//   filter_policy=oneline:10                       the rest as by default
//   filter_policy={id=oneline;fp_rate=0.01;...}
//
// They are registered before main by every program that this library is linked
// to or preloaded into. If the program runs another version of RocksDB than
// the library was compiled against, it gets a message on standard error and no
// names.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_REGISTRATION_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_REGISTRATION_H_

#include <rocksdb/filter_policy.h>

#include <memory>
#include <string>

namespace oneline {

// The policy called "oneline" or "oneline:<bits per key>", owned by `guard`. A
// name with a mistake in it gives a policy with which DB::Open fails. A factory
// as rocksdb::ObjectLibrary wants it.
const rocksdb::FilterPolicy* PolicyByName(
    const std::string& name,
    std::unique_ptr<const rocksdb::FilterPolicy>* guard, std::string* error);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_REGISTRATION_H_
