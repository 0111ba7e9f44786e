// Records for tests of databases: "key00000" -> "value 0" and so on.

#ifndef ONELINE_TESTS_BENCH_NUMBERED_RECORDS_H_
#define ONELINE_TESTS_BENCH_NUMBERED_RECORDS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/keys/records.h"

namespace oneline {

class NumberedRecords final : public Records {
 public:
  // REQUIRES: num_records <= 100000.
  explicit NumberedRecords(size_t num_records) {
    for (size_t i = 0; i < num_records; ++i) {
      const std::string digits = std::to_string(i);
      keys_.push_back("key" + std::string(5 - digits.size(), '0') + digits);
      values_.push_back("value " + std::to_string(i));
    }
  }

  size_t size() const override { return keys_.size(); }
  std::string_view key(size_t i) const override { return keys_[i]; }
  std::string_view value(size_t i) const override { return values_[i]; }

 private:
  std::vector<std::string> keys_;
  std::vector<std::string> values_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_BENCH_NUMBERED_RECORDS_H_
