// Tests of liboneline_leveldb.so: it exports its interface, and does not need
// RocksDB.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>
#include <leveldb/status.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "oneline/filter_options.h"

namespace oneline {
namespace {

// The functions of leveldb_filter_policy.h, by their mangled names.
constexpr char kNew[] =
    "_ZN7oneline22NewLevelDBFilterPolicyERKNS_13FilterOptionsE";
constexpr char kNewWithStatus[] =
    "_ZN7oneline22NewLevelDBFilterPolicyERKNS_13FilterOptionsEPPKN7leveldb12"
    "FilterPolicyE";

TEST(LevelDBLibraryTest, ExportsItsInterface) {
  const std::string path = std::filesystem::absolute("liboneline_leveldb.so");
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using New = const leveldb::FilterPolicy* (*)(const FilterOptions&);
  using NewWithStatus =
      leveldb::Status (*)(const FilterOptions&, const leveldb::FilterPolicy**);
  const auto make = reinterpret_cast<New>(dlsym(library, kNew));
  const auto make_with_status =
      reinterpret_cast<NewWithStatus>(dlsym(library, kNewWithStatus));
  ASSERT_NE(make, nullptr);
  ASSERT_NE(make_with_status, nullptr);

  const std::unique_ptr<const leveldb::FilterPolicy> policy(
      make(FilterOptions()));
  EXPECT_STREQ(policy->Name(), "oneline.1");
  const leveldb::Slice key("key");
  std::string filter;
  policy->CreateFilter(&key, 1, &filter);
  EXPECT_TRUE(policy->KeyMayMatch("key", filter));
  EXPECT_FALSE(policy->KeyMayMatch("other", filter));

  FilterOptions wrong;
  wrong.bits_per_key = 1000;
  const leveldb::FilterPolicy* none = nullptr;
  EXPECT_TRUE(make_with_status(wrong, &none).IsInvalidArgument());

  std::ostringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  EXPECT_EQ(maps.str().find("librocksdb"), std::string::npos);
}

}  // namespace
}  // namespace oneline
