#include "filter_policy/rocksdb/rocksdb_registration.h"

#include <rocksdb/utilities/object_registry.h>

#include <memory>
#include <optional>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_predecessor.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"

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
  const std::optional<Predecessor> predecessor = TakePredecessor(name);
  FilterOptions options;
  if (predecessor.has_value()) options = predecessor->options;
  rocksdb::Status error;
  if (!predecessor.has_value() || !predecessor->options_go_on) {
    const bool only_options = name.find('=') != std::string::npos;
    error = ToStatus(ParsePolicy(
        only_options ? "{id=oneline;" + name + "}" : name, &options));
  }
  guard->reset(MakeRocksDBFilterPolicy(
      options, kPolicyName, error,
      predecessor.has_value() ? &*predecessor : nullptr));
  return guard->get();
}

void AddFactory(const ObjectLibrary::PatternEntry& names,
                ObjectLibrary& library) {
  library.AddFactory<const rocksdb::FilterPolicy>(names, &PolicyByName);
}

}  // namespace

void RegisterPolicyName(ObjectLibrary& library) {
  // Matches whatever follows the colon and leaves it to PolicyByName: RocksDB
  // silently drops a name for which it finds no factory, and with it the
  // filter.
  AddFactory(
      ObjectLibrary::PatternEntry(kPolicyName, true).AddSeparator(":", false),
      library);
  for (const OptionRow& option : kOptions) {
    AddFactory(ObjectLibrary::PatternEntry(option.name, false)
                   .AddSeparator("=", false),
               library);
  }
}

}  // namespace oneline
