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
#include "oneline/version.h"

namespace oneline {
namespace {

// The functions of leveldb_filter_policy.h, by their mangled names.
constexpr char kNew[] =
    "_ZN7oneline4v0_122NewLevelDBFilterPolicyERKNS0_13FilterOptionsEPPKN7"
    "leveldb12FilterPolicyE";
constexpr char kVersion[] = "_ZN7oneline4v0_17VersionEv";

TEST(LevelDBLibraryTest, ExportsItsInterface) {
  const std::string path = std::filesystem::absolute("liboneline_leveldb.so");
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using New =
      leveldb::Status (*)(const FilterOptions&, const leveldb::FilterPolicy**);
  const auto make = reinterpret_cast<New>(dlsym(library, kNew));
  ASSERT_NE(make, nullptr);
  const auto version =
      reinterpret_cast<const char* (*)()>(dlsym(library, kVersion));
  ASSERT_NE(version, nullptr);
  EXPECT_STREQ(version(), ONELINE_VERSION);

  const leveldb::FilterPolicy* made = nullptr;
  ASSERT_TRUE(make(FilterOptions(), &made).ok());
  const std::unique_ptr<const leveldb::FilterPolicy> policy(made);
  EXPECT_STREQ(policy->Name(), "oneline.1");
  const leveldb::Slice key("key");
  std::string filter;
  policy->CreateFilter(&key, 1, &filter);
  EXPECT_TRUE(policy->KeyMayMatch("key", filter));
  EXPECT_FALSE(policy->KeyMayMatch("other", filter));

  FilterOptions wrong;
  wrong.bits_per_key = 1000;
  const leveldb::FilterPolicy* none = nullptr;
  EXPECT_TRUE(make(wrong, &none).IsInvalidArgument());

  std::ostringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  EXPECT_EQ(maps.str().find("librocksdb"), std::string::npos);
}

}  // namespace
}  // namespace oneline
