// A program that makes the policy for LevelDB. Usage: leveldb_by_call DATABASE

#include <leveldb/db.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "oneline/leveldb_filter_policy.h"

void Require(const leveldb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::exit(1);
}

int main(int, char** argv) {
  oneline::FilterOptions filter;
  filter.bits_per_key = 10;
  const leveldb::FilterPolicy* made = nullptr;
  Require(oneline::NewLevelDBFilterPolicy(filter, &made));
  const std::unique_ptr<const leveldb::FilterPolicy> policy(made);
  leveldb::Options options;
  options.create_if_missing = true;
  options.error_if_exists = true;
  options.filter_policy = policy.get();
  leveldb::DB* opened = nullptr;
  Require(leveldb::DB::Open(options, argv[1], &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  for (int i = 0; i < 100000; ++i) {
    Require(db->Put({}, "key" + std::to_string(i), "v"));
  }
  db->CompactRange(nullptr, nullptr);
  std::string value;
  for (int i = 0; i < 100000; ++i) {
    Require(db->Get({}, "key" + std::to_string(i), &value));
  }
}
