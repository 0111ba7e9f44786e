#include "filter_policy/rocksdb/rocksdb_registration.h"

#include <cstdio>
#include <memory>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/build_check.h"

namespace oneline {
namespace {

using rocksdb::ObjectLibrary;

// A factory as rocksdb::ObjectLibrary wants it: the policy of this name, owned
// by `guard`. It never fails: RocksDB drops the error of a factory and goes on
// without a filter. So a name with an error in it gives a policy that carries
// the error to DB::Open.
const rocksdb::FilterPolicy* PolicyByName(
    const std::string& name,
    std::unique_ptr<const rocksdb::FilterPolicy>* guard,
    std::string* /*error*/) {
  FilterOptions options;
  const std::string mistake = ParsePolicy(name, &options);
  guard->reset(MakeRocksDBFilterPolicy(options, kPolicyName, mistake));
  return guard->get();
}

}  // namespace

bool RegisterNames(ObjectLibrary& library) {
  const rocksdb::Status build = CheckVersion();
  if (!build.ok()) {
    std::fprintf(stderr, "%s; nothing is registered\n", build.getState());
    return false;
  }
  // Matches whatever follows the colon and leaves it to PolicyByName: RocksDB
  // silently drops a name for which it finds no factory, and with it the
  // filter.
  library.AddFactory<const rocksdb::FilterPolicy>(
      ObjectLibrary::PatternEntry(kPolicyName, true).AddSeparator(":", false),
      &PolicyByName);
  // What is nearly our name, or a text for our policy whose brace RocksDB
  // misses and takes all of it for a name, is dropped as well: it gives a
  // policy that carries the error, too.
  library.AddFactory<const rocksdb::FilterPolicy>(
      ObjectLibrary::PatternEntry("onel", false)
          .AnotherName("Onel")
          .AnotherName("ONEL")
          .AnotherName("onlin")
          .AnotherName("{id=onel")
          .AddSeparator("", false),
      &PolicyByName);
  RegisterAllocatorName(library);
  return true;
}

}  // namespace oneline
