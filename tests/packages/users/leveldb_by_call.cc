// A program that makes the policy for LevelDB. Usage: leveldb_by_call DATABASE

#include <leveldb/db.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "oneline/leveldb_filter_policy.h"

void Require(bool condition, const std::string& message) {
  if (condition) return;
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(1);
}

void Require(const leveldb::Status& status) {
  Require(status.ok(), status.ToString());
}

// Whether a table of the database names the filters of `policy`.
bool HasFilters(const std::string& database, const std::string& policy) {
  for (const auto& file : std::filesystem::directory_iterator(database)) {
    if (file.path().extension() != ".ldb") continue;
    std::ostringstream bytes;
    bytes << std::ifstream(file.path(), std::ios::binary).rdbuf();
    if (bytes.str().find("filter." + policy) != std::string::npos) return true;
  }
  return false;
}

int main(int argc, char** argv) {
  Require(argc == 2, "usage: leveldb_by_call DATABASE");
  const std::string path = argv[1];
  oneline::FilterOptions filter;
  filter.bits_per_key = 10;
  const leveldb::FilterPolicy* made = nullptr;
  Require(oneline::NewLevelDBFilterPolicy(filter, &made));
  const std::unique_ptr<const leveldb::FilterPolicy> policy(made);

  leveldb::Options options;
  options.create_if_missing = true;
  options.error_if_exists = true;
  options.compression = leveldb::kNoCompression;
  options.filter_policy = policy.get();
  leveldb::DB* opened = nullptr;
  Require(leveldb::DB::Open(options, path, &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  constexpr int kKeys = 100000;
  for (int i = 0; i < kKeys; ++i) {
    Require(db->Put(leveldb::WriteOptions(), "key" + std::to_string(i), "v"));
  }
  db->CompactRange(nullptr, nullptr);
  Require(HasFilters(path, "oneline.1"), "no table has our filters");
  std::string value;
  for (int i = 0; i < kKeys; ++i) {
    Require(db->Get(leveldb::ReadOptions(), "key" + std::to_string(i), &value));
  }
  return 0;
}
