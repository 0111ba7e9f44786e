// What benchmark databases hold: numbered keys with a value each.

#ifndef ONELINE_BENCH_COMPARISON_RECORDS_H_
#define ONELINE_BENCH_COMPARISON_RECORDS_H_

#include <cstddef>
#include <string_view>

namespace oneline {

// Sorted by key, byte by byte, no key twice; that saves sorting when they are
// written. Immutable and thread-safe; the views live as long as the object.
class Records {
 public:
  virtual ~Records() = default;

  // Of a record i in [0, size()).
  virtual std::string_view key(size_t i) const = 0;
  virtual std::string_view value(size_t i) const = 0;
  virtual size_t size() const = 0;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_RECORDS_H_
