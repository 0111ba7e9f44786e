// The data of benchmark databases: numbered records, and lookups with the
// answer that each must have.

#ifndef ONELINE_BENCH_KEYS_RECORDS_H_
#define ONELINE_BENCH_KEYS_RECORDS_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace oneline {

// Sorted by key, byte by byte, without duplicates, so they need no sorting
// before they are written. Immutable and thread-safe; the views live as long as
// the object.
class Records {
 public:
  virtual ~Records() = default;

  // Of record i, 0 to size() - 1.
  virtual std::string_view key(size_t i) const = 0;
  virtual std::string_view value(size_t i) const = 0;
  virtual size_t size() const = 0;
};

struct Lookup {
  std::string_view key;
  std::optional<std::string_view> value;  // nullopt: the key is absent
};

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_RECORDS_H_
