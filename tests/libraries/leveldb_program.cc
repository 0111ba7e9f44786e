// A program that knows LevelDB and nothing of this library: for tests of what
// it gets when the library is preloaded.
//
//   leveldb_program DIRECTORY c             with the filter of the C interface
//   leveldb_program DIRECTORY BITS [read]   with that of
//                                           NewBloomFilterPolicy(BITS)
//
// Writes keys, unless it is to read, looks all of them up and as many absent
// ones. Prints the policy's name, how many keys were found of each, and the
// bytes of a filter of 20 keys.

#include <leveldb/c.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/options.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int kKeys = 20000;

void Require(const leveldb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

// What the C interface makes is a FilterPolicy.
const leveldb::FilterPolicy* NewPolicy(const std::string& bits) {
  return bits == "c" ? reinterpret_cast<const leveldb::FilterPolicy*>(
                           leveldb_filterpolicy_create_bloom(10))
                     : leveldb::NewBloomFilterPolicy(std::atoi(bits.c_str()));
}

// Odd numbers are never written.
std::string Key(int number) { return std::to_string(10000000 + number); }

size_t BytesOfFilter(const leveldb::FilterPolicy& policy) {
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back(Key(i));
  const std::vector<leveldb::Slice> keys(names.begin(), names.end());
  std::string filter;
  policy.CreateFilter(keys.data(), static_cast<int>(keys.size()), &filter);
  return filter.size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::unique_ptr<const leveldb::FilterPolicy> policy(NewPolicy(argv[2]));
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = policy.get();
  leveldb::DB* opened = nullptr;
  Require(leveldb::DB::Open(options, argv[1], &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  for (int i = 0; argc == 3 && i < kKeys; ++i) {
    Require(db->Put(leveldb::WriteOptions(), Key(2 * i), "value"));
  }
  db->CompactRange(nullptr, nullptr);
  int present = 0, absent = 0;
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    const leveldb::ReadOptions read;
    if (db->Get(read, Key(2 * i), &value).ok()) ++present;
    if (db->Get(read, Key(2 * i + 1), &value).ok()) ++absent;
  }
  std::printf("%s %d %d %zu\n", policy->Name(), present, absent,
              BytesOfFilter(*policy));
  return 0;
}
