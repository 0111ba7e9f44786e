// What histories draw: keys and values; and answers as text.

#ifndef ONELINE_TESTS_FILTER_POLICY_HISTORY_DRAWS_H_
#define ONELINE_TESTS_FILTER_POLICY_HISTORY_DRAWS_H_

#include <rocksdb/iterator.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include "tests/testing.h"

namespace oneline {

inline constexpr size_t kHistoryPrefix = 6;
inline constexpr int kGroups = 300;          // in which single keys are written
inline constexpr int kFilledGroups = 10000;  // by tables of many keys

inline int Draw(std::mt19937_64& random, int bound) {
  return static_cast<int>(random() % static_cast<uint64_t>(bound));
}

// "g00042" and what makes the keys of a group differ; in some groups hundreds
// of bytes more, in few thousands. Groups with odd numbers are never written.
inline std::string KeyOf(int group, char member) {
  char key[16];
  std::snprintf(key, sizeof(key), "g%05d%c", group, member);
  const int more = group % 100 == 42 ? 4000 : group % 8 == 0 ? group % 600 : 0;
  return key + std::string(static_cast<size_t>(more), '.');
}

inline char MemberOf(const std::string& key) {
  return key.size() > kHistoryPrefix ? key[kHistoryPrefix] : '\0';
}

// Has 0 to 5 bytes, and so no prefix.
inline std::string ShortKey(std::mt19937_64& random) {
  return std::string("g0000").substr(0, static_cast<size_t>(Draw(random, 6)));
}

// Members a and b are put, m is merged, s is put once and deleted by
// SingleDelete: RocksDB does not mix all of these.
inline std::string WrittenLongKey(std::mt19937_64& random,
                                  const char* members = "ab") {
  return KeyOf(2 * Draw(random, kGroups), members[Draw(random, 2)]);
}

inline std::string AnyLongKey(std::mt19937_64& random) {
  const int what = Draw(random, 12);
  if (what == 0) {
    return KeyOf(2 * Draw(random, kGroups) + 1, 'a');  // its prefix, too
  }
  // Another one than is put, not its prefix; merged; or put once.
  if (what <= 3) return KeyOf(2 * Draw(random, kGroups), " xms"[what]);
  if (what == 4) return KeyOf(Draw(random, 2 * kFilledGroups), 'b');
  return WrittenLongKey(random);
}

inline std::string SomeValue(std::mt19937_64& random) {
  return std::string(1 + static_cast<size_t>(Draw(random, 30)),
                     static_cast<char>('A' + Draw(random, 26)));
}

// Any other status fails the test: nobody expects it.
inline std::string Text(const rocksdb::Status& status) {
  EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
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
