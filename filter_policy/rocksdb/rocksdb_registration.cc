#include "filter_policy/rocksdb/rocksdb_registration.h"

#include <rocksdb/utilities/object_registry.h>

#include <cstdio>

#include "absl/status/status.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/rocksdb_filter_policy.h"

namespace oneline {
namespace {

[[maybe_unused]] const bool registered = [] {
  const rocksdb::Status version = CheckRocksDBVersion();
  if (!version.ok()) {
    std::fprintf(stderr, "%s; nothing is registered\n", version.getState());
    return false;
  }
  // Matches whatever follows the colon and leaves it to PolicyByName: a name
  // for which RocksDB finds no factory is dropped in silence, the filter with
  // it.
  rocksdb::ObjectLibrary::Default()->AddFactory<const rocksdb::FilterPolicy>(
      rocksdb::ObjectLibrary::PatternEntry(kPolicyName, true)
          .AddSeparator(":", false),
      &PolicyByName);
  return true;
}();

}  // namespace

const rocksdb::FilterPolicy* PolicyByName(
    const std::string& name,
    std::unique_ptr<const rocksdb::FilterPolicy>* guard,
    std::string* /*error*/) {
  // RocksDB drops the error of a factory and goes on without a filter: the
  // policy itself has to carry it to DB::Open.
  FilterOptions options;
  const absl::Status status = ParsePolicy(name, &options);
  guard->reset(MakeRocksDBFilterPolicy(
      options, kPolicyName,
      status.ok()
          ? rocksdb::Status::OK()
          : rocksdb::Status::InvalidArgument(std::string(status.message()))));
  return guard->get();
}

}  // namespace oneline
