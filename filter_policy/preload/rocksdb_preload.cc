// In liboneline_preload.so only: takes the calls of RocksDB's functions that
// make its own policies, for rocksdb_replacement.h, and of those that see the
// options of each column family, for programs that ask for no filter. If this
// library is preloaded, a program finds the definitions below before RocksDB's,
// and so does RocksDB itself.
//
//   ONELINE_ADD_FILTERS=1            the default policy for column families
//                                    that have none
//   ONELINE_ADD_FILTERS=oneline:12   this policy
//   unset, empty or 0                no filters

#include <dlfcn.h>
#include <rocksdb/comparator.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/object_registry.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/replacement/rocksdb_replacement.h"
#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {
namespace {

// Const in some versions of RocksDB, not in others.
using BloomPolicy = decltype(rocksdb::NewBloomFilterPolicy(0, false));
using RibbonPolicy = decltype(rocksdb::NewRibbonFilterPolicy(0, 0));

// Where the library or program that contains this address was loaded.
void* LoadedAt(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// RocksDB's own definition of a function that this file defines below. If this
// library is preloaded, RocksDB's comes after it in the search order; in a
// program that is linked to both it may come before.
void* FindBuiltin(const char* symbol, const char* name) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    found = dlsym(RTLD_DEFAULT, symbol);
    if (LoadedAt(found) == LoadedAt(reinterpret_cast<void*>(&LoadedAt))) {
      found = nullptr;
    }
  }
  if (found == nullptr) {
    // RocksDB takes null for "no filter".
    std::fprintf(stderr,
                 "oneline: RocksDB's %s is in no shared library of this "
                 "program: no filter is used\n",
                 name);
  }
  return found;
}

BloomPolicy NewBuiltinBloom(double bits_per_key, bool ignored) {
  static const auto function =
      reinterpret_cast<BloomPolicy (*)(double, bool)>(FindBuiltin(
          "_ZN7rocksdb20NewBloomFilterPolicyEdb", "NewBloomFilterPolicy"));
  return function == nullptr ? nullptr : function(bits_per_key, ignored);
}

RibbonPolicy NewBuiltinRibbon(double bits_per_key, int bloom_before_level) {
  static const auto function =
      reinterpret_cast<RibbonPolicy (*)(double, int)>(FindBuiltin(
          "_ZN7rocksdb21NewRibbonFilterPolicyEdi", "NewRibbonFilterPolicy"));
  return function == nullptr ? nullptr
                             : function(bits_per_key, bloom_before_level);
}

[[maybe_unused]] const bool registered = [] {
  if (!ReplacesBuiltinFilters()) return false;
  // A library of its own is searched before the one with RocksDB's filters,
  // whose names may have been registered before this library was loaded.
  RegisterReplacements({&NewBuiltinBloom, &NewBuiltinRibbon},
                       rocksdb::ObjectRegistry::Default()
                           ->AddLibrary("oneline.replace_builtin")
                           .get());
  return true;
}();

const PolicyRequest& AddedPolicy() {
  static const PolicyRequest request =
      CheckBuild().ok()
          ? ReadRequest("ONELINE_ADD_FILTERS", "a Ribbon of 10 bits per key",
                        "no filter is added")
          : PolicyRequest();
  return request;
}

void ReportOnce(const std::string& message) {
  static std::mutex mutex;
  static auto* const reported = new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!reported->insert(message).second) return;
  std::fprintf(stderr, "oneline: %s\n", message.c_str());
}

// Whether lookups and seeks with a filter find what they find without one. A
// program that asked for no filter need not have thought of that.
bool MayHaveFilter(const rocksdb::ColumnFamilyOptions& options) {
  if (options.comparator->CanKeysWithDifferentByteContentsBeEqual()) {
    ReportOnce(std::string("no filter is added where the comparator is ") +
               options.comparator->Name() +
               ": it may call keys equal that differ for a filter");
    return false;
  }
  // A filter would have prefixes, too, and RocksDB leaves out a table that does
  // not have the prefix of a seek, whatever follows there.
  if (options.prefix_extractor != nullptr) {
    ReportOnce(
        std::string("no filter is added where the prefix extractor is ") +
        options.prefix_extractor->Name() +
        ": seeks would miss keys beyond their prefix");
    return false;
  }
  return true;
}

// The table factory, which is the program's and may be shared, stays as it is.
void AddFilter(rocksdb::ColumnFamilyOptions* options) {
  if (!AddedPolicy().wanted() || options->table_factory == nullptr ||
      std::strcmp(options->table_factory->Name(),
                  rocksdb::TableFactory::kBlockBasedTableName()) != 0) {
    return;
  }
  const auto* table =
      options->table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  if (table == nullptr || table->filter_policy != nullptr ||
      !MayHaveFilter(*options)) {
    return;
  }
  rocksdb::BlockBasedTableOptions filtered = *table;
  filtered.filter_policy.reset(
      MakeRocksDBFilterPolicy(AddedPolicy().options, kPolicyName));
  // DB::Open did so with the program's policy, if it had any.
  filtered.filter_policy->ValidateOptions(rocksdb::DBOptions(), *options)
      .PermitUncheckedError();
  options->table_factory.reset(rocksdb::NewBlockBasedTableFactory(filtered));
}

}  // namespace
}  // namespace oneline

namespace rocksdb {

struct ImmutableDBOptions;

// RocksDB calls one of these, by version, for each column family that is opened
// or created in any way. They are in no header for users.
ColumnFamilyOptions SanitizeOptions(const ImmutableDBOptions& db_options,
                                    const ColumnFamilyOptions& asked);
ColumnFamilyOptions SanitizeCfOptions(const ImmutableDBOptions& db_options,
                                      bool read_only,
                                      const ColumnFamilyOptions& asked);

ColumnFamilyOptions SanitizeOptions(const ImmutableDBOptions& db_options,
                                    const ColumnFamilyOptions& asked) {
  static const auto function =
      reinterpret_cast<decltype(&SanitizeOptions)>(oneline::FindBuiltin(
          "_ZN7rocksdb15SanitizeOptionsERKNS_18ImmutableDBOptio"
          "nsERKNS_19ColumnFamilyOptionsE",
          "SanitizeOptions"));
  ColumnFamilyOptions options = function(db_options, asked);
  oneline::AddFilter(&options);
  return options;
}

ColumnFamilyOptions SanitizeCfOptions(const ImmutableDBOptions& db_options,
                                      bool read_only,
                                      const ColumnFamilyOptions& asked) {
  static const auto function =
      reinterpret_cast<decltype(&SanitizeCfOptions)>(oneline::FindBuiltin(
          "_ZN7rocksdb17SanitizeCfOptionsERKNS_18ImmutableDBOpt"
          "ionsEbRKNS_19ColumnFamilyOptionsE",
          "SanitizeCfOptions"));
  ColumnFamilyOptions options = function(db_options, read_only, asked);
  oneline::AddFilter(&options);
  return options;
}

oneline::BloomPolicy NewBloomFilterPolicy(double bits_per_key, bool ignored) {
  const auto policy = oneline::NewBuiltinBloom(bits_per_key, ignored);
  if (!oneline::ReplacesBuiltinFilters()) return policy;
  return oneline::Replace(std::unique_ptr<const FilterPolicy>(policy));
}

oneline::RibbonPolicy NewRibbonFilterPolicy(double bits_per_key,
                                            int bloom_before_level) {
  const auto policy =
      oneline::NewBuiltinRibbon(bits_per_key, bloom_before_level);
  if (!oneline::ReplacesBuiltinFilters()) return policy;
  return oneline::Replace(std::unique_ptr<const FilterPolicy>(policy));
}

}  // namespace rocksdb
