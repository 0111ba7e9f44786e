// In liboneline_leveldb_preload.so only: our filters in place of LevelDB's own,
// in programs that were not written for this library, if the environment asks
// for it:
//
//   ONELINE_REPLACE_BUILTIN=1            our Ribbon, with the bits per key that
//                                        the program asks for
//   ONELINE_REPLACE_BUILTIN=oneline:12   this policy, whatever is asked for
//   unset, empty or 0                    LevelDB's own filters
//
// If the library is preloaded, a program, and LevelDB's C interface, find the
// definition below before LevelDB's.

#include <leveldb/filter_policy.h>
#include <leveldb/status.h>

#include <algorithm>
#include <string>

#include "filter_policy/options/policy_request.h"
#include "filter_policy/preload/builtin_function.h"
#include "oneline/leveldb_filter_policy.h"

namespace oneline {
namespace {

// As Validate, for LevelDB.
std::string Check(const FilterOptions& options) {
  const leveldb::FilterPolicy* policy = nullptr;
  const leveldb::Status status = NewLevelDBFilterPolicy(options, &policy);
  delete policy;
  return status.ok() ? "" : status.ToString();
}

const PolicyRequest& TheRequest() {
  static const PolicyRequest request =
      ReadRequest(kReplaceBuiltin, "a Ribbon with the program's bits per key",
                  "LevelDB's own filter is used", &Check);
  return request;
}

const leveldb::FilterPolicy* NewBuiltinBloom(int bits_per_key) {
  static const auto function = reinterpret_cast<decltype(&NewBuiltinBloom)>(
      FindBuiltin("_ZN7leveldb20NewBloomFilterPolicyEi",
                  "leveldb::NewBloomFilterPolicy"));
  return function == nullptr ? nullptr : function(bits_per_key);
}

}  // namespace
}  // namespace oneline

namespace leveldb {

const FilterPolicy* NewBloomFilterPolicy(int bits_per_key) {
  const oneline::PolicyRequest& request = oneline::TheRequest();
  if (!request.wanted()) return oneline::NewBuiltinBloom(bits_per_key);
  oneline::FilterOptions options = request.options;
  if (!request.named()) {
    // LevelDB's takes any number; 1 is the least that ours is a filter with.
    options.bits_per_key = std::clamp(bits_per_key, 1, 100);
  }
  const FilterPolicy* policy = nullptr;
  oneline::NewLevelDBFilterPolicy(options, &policy);  // options were checked
  return policy;
}

}  // namespace leveldb
