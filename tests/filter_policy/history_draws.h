// What histories draw: keys and values; and answers as text.

#ifndef ONELINE_TESTS_FILTER_POLICY_HISTORY_DRAWS_H_
#define ONELINE_TESTS_FILTER_POLICY_HISTORY_DRAWS_H_

#include <rocksdb/iterator.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include <cstdio>
#include <random>
#include <string>

namespace oneline {

inline constexpr size_t kHistoryPrefix = 6;
inline constexpr int kGroups = 300;

inline int Draw(std::mt19937_64& random, int bound) {
  return static_cast<int>(random() % static_cast<uint64_t>(bound));
}

// "g00042" and what makes the keys of a group differ. Groups with odd numbers
// are never written.
inline std::string KeyOf(int group, char member) {
  char key[16];
  std::snprintf(key, sizeof(key), "g%05d%c", group, member);
  return key;
}

// Members a and b are put, m is merged, w has wide columns: RocksDB does not
// mix all of these.
inline std::string WrittenKey(std::mt19937_64& random,
                              const char* members = "ab") {
  return KeyOf(2 * Draw(random, kGroups), members[Draw(random, 2)]);
}

inline std::string AnyKey(std::mt19937_64& random) {
  switch (Draw(random, 8)) {
    case 0:
      return KeyOf(2 * Draw(random, kGroups) + 1, 'a');  // its prefix, too
    case 1:
      return KeyOf(2 * Draw(random, kGroups), 'x');  // not its prefix
    case 2:
      return KeyOf(2 * Draw(random, kGroups), 'm');
    case 3:
      return KeyOf(2 * Draw(random, kGroups), 'w');
    default:
      return WrittenKey(random);
  }
}

inline std::string SomeValue(std::mt19937_64& random) {
  return std::string(1 + static_cast<size_t>(Draw(random, 30)),
                     static_cast<char>('A' + Draw(random, 26)));
}

inline std::string Text(const rocksdb::Status& status) {
  return status.ok() ? "ok" : status.IsNotFound() ? "-" : status.ToString();
}

inline std::string Text(const rocksdb::Status& status,
                        const rocksdb::Slice& value) {
  return status.ok() ? value.ToString() : Text(status);
}

// From where the iterator is to the last key of the prefix.
inline std::string KeysOfPrefix(rocksdb::Iterator* it,
                                const std::string& prefix,
                                bool backwards = false) {
  std::string keys;
  while (it->Valid() && it->key().starts_with(prefix)) {
    keys += it->key().ToString() + "=" + it->value().ToString() + " ";
    backwards ? it->Prev() : it->Next();
  }
  return keys;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_HISTORY_DRAWS_H_
