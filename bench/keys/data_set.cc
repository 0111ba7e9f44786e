#include "bench/keys/data_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

#include "bench/keys/absent_paths.h"
#include "bench/measure/random_key.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;  // the same data in every run

std::string RandomBytesOf(size_t num_bytes) {
  std::mt19937_64 random(kSeed);
  std::string bytes(num_bytes, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() >> 56);
  return bytes;
}

// All are parts of the same bytes, each from another start, so that a wrong
// value is noticed.
class ManyValues {
 public:
  explicit ManyValues(size_t value_bytes)
      : value_bytes_(value_bytes),
        bytes_(RandomBytesOf(kStarts + value_bytes)) {}
  std::string_view value(size_t i) const {
    // The factor is odd, so neighbours start far from each other, and kStarts
    // values in a row have different starts.
    const size_t start = i * 0x9e3779b1u % kStarts;
    return std::string_view(bytes_).substr(start, value_bytes_);
  }

 private:
  static constexpr size_t kStarts = size_t{1} << 20;
  const size_t value_bytes_;
  const std::string bytes_;
};

using Bytes = std::array<char, sizeof(Key::bytes)>;

class RandomRecords final : public Records {
 public:
  RandomRecords(std::vector<Bytes> sorted_keys, size_t value_bytes)
      : keys_(std::move(sorted_keys)), values_(value_bytes) {}

  size_t size() const override { return keys_.size(); }
  std::string_view key(size_t i) const override {
    return {keys_[i].data(), keys_[i].size()};
  }
  std::string_view value(size_t i) const override { return values_.value(i); }

 private:
  const std::vector<Bytes> keys_;
  const ManyValues values_;
};

class EveryNthRecord final : public Records {
 public:
  EveryNthRecord(std::shared_ptr<const Records> all, size_t n)
      : all_(std::move(all)), n_(n) {}

  size_t size() const override { return all_->size() / n_; }
  std::string_view key(size_t i) const override { return all_->key(i * n_); }
  std::string_view value(size_t i) const override {
    return all_->value(i * n_);
  }

 private:
  const std::shared_ptr<const Records> all_;
  const size_t n_;
};

bool SortsBefore(const Bytes& a, const Bytes& b) {
  return std::string_view(a.data(), a.size()) <
         std::string_view(b.data(), b.size());
}

// A number below `n`, small ones the more often.
size_t ZipfRank(size_t n, std::mt19937_64* random) {
  // The inverse of the integral of x^-0.99, from 1 to n + 1.
  constexpr double kOther = 1 - 0.99;
  const double share = static_cast<double>((*random)() >> 11) * 0x1p-53;
  const double all = std::pow(static_cast<double>(n) + 1, kOther) - 1;
  const double rank = std::pow(1 + share * all, 1 / kOther) - 1;
  return std::min(static_cast<size_t>(rank), n - 1);
}

}  // namespace

DataSet RandomDataSet(size_t num_records, size_t value_bytes,
                      size_t num_absent) {
  std::vector<Bytes> keys(num_records);
  for (size_t i = 0; i < num_records; ++i) {
    const Key key(2 * i);
    std::copy_n(key.bytes, sizeof(key.bytes), keys[i].begin());
  }
  std::sort(keys.begin(), keys.end(), SortsBefore);
  DataSet data;
  data.records = std::make_shared<RandomRecords>(std::move(keys), value_bytes);
  for (size_t i = 0; i < num_absent; ++i) {
    const Key key(2 * i + 1);
    data.absent.emplace_back(key.bytes, sizeof(key.bytes));
  }
  return data;
}

DataSet PathDataSet(std::shared_ptr<const PathList> list, size_t num_records,
                    size_t num_absent) {
  DataSet data;
  data.absent = AbsentPaths(*list, num_absent, kSeed);
  const size_t n = std::max<size_t>(list->size() / num_records, 1);
  data.records = std::make_shared<EveryNthRecord>(std::move(list), n);
  return data;
}

std::vector<Lookup> Lookups(const DataSet& data, size_t absent_percent,
                            size_t count, uint64_t seed, KeyLaw law) {
  const Records& records = *data.records;
  const bool is_zipf = law == KeyLaw::kZipf;
  if (absent_percent > 0 && !is_zipf) {
    count = std::min(count, data.absent.size() * 100 / absent_percent);
  }
  std::mt19937_64 random(seed);
  std::vector<Lookup> lookups;
  lookups.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t absent_before = i * absent_percent / 100;
    if ((i + 1) * absent_percent / 100 > absent_before) {
      const size_t n = data.absent.size();
      lookups.push_back(
          {data.absent[is_zipf ? ZipfRank(n, &random) : absent_before], {}});
      continue;
    }
    // Keys that are asked for often are spread over all others.
    constexpr size_t kStride = 7919;
    const size_t n = records.size();
    const size_t drawn =
        is_zipf ? ZipfRank(n, &random) * kStride % n : random() % n;
    lookups.push_back({records.key(drawn), records.value(drawn)});
  }
  return lookups;
}

}  // namespace oneline
