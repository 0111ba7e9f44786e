// In liboneline.so only: replaces RocksDB's built-in Bloom filter in programs
// that were not written for this library, if the environment asks for it.
//
//   ONELINE_REPLACE_BUILTIN=1            our Ribbon, with the bits per key that
//                                        the program asks for
//   ONELINE_REPLACE_BUILTIN=oneline:12   this policy, whatever it asks for
//   unset, empty or 0                    RocksDB's own filter
//
// A program can ask for the built-in filter in two ways, and both are replaced:
// - It calls NewBloomFilterPolicy. If this library is preloaded, the call finds
//   our definition before RocksDB's.
// - Its OPTIONS file has the name bloomfilter:<bits>[:false].
// OPTIONS files that RocksDB writes name the filter that the program asked for,
// so they load with and without this library.

#include <dlfcn.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/utilities/object_registry.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_field.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/filter_options.h"

namespace oneline {
namespace {

using rocksdb::FilterPolicy;

constexpr char kVariable[] = "ONELINE_REPLACE_BUILTIN";

// Where the library or program that contains this address was loaded.
void* LoadedAt(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

using NewBloomFunction = const FilterPolicy* (*)(double, bool);

// RocksDB's own definition of the function that this file defines below. If
// this library is preloaded, RocksDB's comes after it in the search order; in a
// program that is linked to both it may come before.
NewBloomFunction FindNewBuiltinBloom() {
  constexpr char kSymbol[] = "_ZN7rocksdb20NewBloomFilterPolicyEdb";
  void* found = dlsym(RTLD_NEXT, kSymbol);
  if (found == nullptr) {
    found = dlsym(RTLD_DEFAULT, kSymbol);
    if (LoadedAt(found) == LoadedAt(reinterpret_cast<void*>(&LoadedAt))) {
      found = nullptr;
    }
  }
  return reinterpret_cast<NewBloomFunction>(found);
}

const FilterPolicy* NewBuiltinBloom(double bits_per_key, bool ignored) {
  static const NewBloomFunction function = FindNewBuiltinBloom();
  if (function == nullptr) {
    // RocksDB takes null for "no filter".
    std::fprintf(stderr,
                 "oneline: RocksDB's NewBloomFilterPolicy is in no shared "
                 "library of this program: no filter is used\n");
    return nullptr;
  }
  return function(bits_per_key, ignored);
}

// What the environment asks for.
struct Replacement {
  bool wanted = false;
  bool named = false;  // a policy is named, so `options` hold
  FilterOptions options;
};

Replacement FromEnvironment() {
  Replacement replacement;
  const char* value = std::getenv(kVariable);
  if (value == nullptr || !CheckRocksDBVersion().ok()) return replacement;
  const std::string text = value;
  if (text.empty() || text == "0") return replacement;
  replacement.wanted = true;
  if (text == "1") return replacement;
  replacement.named = true;
  const std::string error = ParsePolicy(text, &replacement.options);
  if (!error.empty()) {
    std::fprintf(stderr,
                 "%s: %s (or 1, for a Ribbon with the program's bits per key); "
                 "RocksDB's own filter is used\n",
                 kVariable, error.c_str());
    return Replacement();
  }
  return replacement;
}

const Replacement& TheReplacement() {
  static const Replacement replacement = FromEnvironment();
  return replacement;
}

// As RocksDB does it: NaN becomes 100.
double ClampedBitsPerKey(double bits_per_key) {
  if (!(bits_per_key < 100)) return 100;
  return bits_per_key < 0 ? 0 : bits_per_key;
}

const FilterPolicy* NewReplacement(double bits_per_key) {
  const std::unique_ptr<const FilterPolicy> builtin(
      NewBuiltinBloom(bits_per_key, false));
  if (builtin == nullptr) return nullptr;
  FilterOptions options = TheReplacement().options;
  if (!TheReplacement().named) {
    options.bits_per_key = ClampedBitsPerKey(bits_per_key);
  }
  return MakeRocksDBFilterPolicy(options, builtin->GetId(),
                                 rocksdb::Status::OK());
}

// The factory for bloomfilter:<bits> and what may follow. RocksDB calls it with
// names that match a pattern below, so there is a number.
const FilterPolicy* ReplacementByName(
    const std::string& name, std::unique_ptr<const FilterPolicy>* guard,
    std::string* /*error*/) {
  const std::string_view after =
      std::string_view(name).substr(name.find(':') + 1);
  double bits_per_key = 0;
  const bool is_number =
      ParseValue(after.substr(0, after.find(':')), &bits_per_key);
  assert(is_number);
  (void)is_number;
  guard->reset(NewReplacement(bits_per_key));
  return guard->get();
}

// The names of RocksDB's own filter, each with its number of bits.
rocksdb::ObjectLibrary::PatternEntry BuiltinNames() {
  return rocksdb::ObjectLibrary::PatternEntry("bloomfilter", false)
      .AnotherName("rocksdb.BloomFilter")
      .AddNumber(":", false);
}

[[maybe_unused]] const bool registered = [] {
  if (!TheReplacement().wanted) return false;
  // RocksDB searches the object library added last first, so it finds ours
  // before the one with its own filters.
  const std::shared_ptr<rocksdb::ObjectLibrary> library =
      rocksdb::ObjectRegistry::Default()->AddLibrary("oneline.replace_builtin");
  for (const auto& names : {BuiltinNames(), BuiltinNames().AddSuffix(":false"),
                            BuiltinNames().AddSuffix(":true")}) {
    library->AddFactory<const FilterPolicy>(names, &ReplacementByName);
  }
  return true;
}();

}  // namespace
}  // namespace oneline

namespace rocksdb {

const FilterPolicy* NewBloomFilterPolicy(double bits_per_key, bool ignored) {
  if (!oneline::TheReplacement().wanted) {
    return oneline::NewBuiltinBloom(bits_per_key, ignored);
  }
  return oneline::NewReplacement(bits_per_key);
}

}  // namespace rocksdb
