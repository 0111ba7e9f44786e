// Linked into RocksDB's tests by filter_policy/plugin/CMakeLists.txt. They make
// most of their policies by the name of a class, with a function that no
// application can call. The linker gives its calls to the function below, which
// makes the policy as an application does, so that ONELINE_REPLACE_BUILTIN
// replaces it by ours.

#include <rocksdb/filter_policy.h>

#include <cstdlib>
#include <memory>
#include <string>

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;

// RocksDB's own function.
Policy CreateBuiltin(const std::string& name, double bits_per_key) __asm__(
    "__real__ZN7rocksdb21BloomLikeFilterPolicy6CreateERKNSt7__cxx1112basic_"
    "stringIcSt11char_traitsIcESaIcEEEd");

Policy CreateForTest(const std::string& name, double bits_per_key) __asm__(
    "__wrap__ZN7rocksdb21BloomLikeFilterPolicy6CreateERKNSt7__cxx1112basic_"
    "stringIcSt11char_traitsIcESaIcEEEd");

Policy CreateForTest(const std::string& name, double bits_per_key) {
  if (std::getenv("ONELINE_REPLACE_BUILTIN") == nullptr) {
    return CreateBuiltin(name, bits_per_key);
  }
  if (name == "ribbonfilter") {
    return Policy(rocksdb::NewRibbonFilterPolicy(bits_per_key));
  }
  if (name.find("Ribbon") != std::string::npos) {
    return Policy(rocksdb::NewRibbonFilterPolicy(bits_per_key, -1));
  }
  return Policy(rocksdb::NewBloomFilterPolicy(bits_per_key));
}
