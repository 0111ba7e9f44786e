#include "bench/keys/data_set.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bench/keys/absent_paths.h"
#include "bench/measure/random_key.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;  // the same data in every run
constexpr size_t kEventsPerUser = 16;

// Values that do not compress. All are parts of the same random bytes, each
// from another start, so that a wrong value is noticed.
class RandomValues {
 public:
  explicit RandomValues(size_t value_bytes) : value_bytes_(value_bytes) {
    std::mt19937_64 random(kSeed);
    bytes_.resize(kStarts + value_bytes);
    for (char& byte : bytes_) byte = static_cast<char>(random() >> 56);
  }
  std::string_view value(size_t i) const {
    // The factor is odd, so neighbours start far from each other, and kStarts
    // values in a row have different starts.
    const size_t start = i * 0x9e3779b1u % kStarts;
    return std::string_view(bytes_).substr(start, value_bytes_);
  }

 private:
  static constexpr size_t kStarts = size_t{1} << 20;
  const size_t value_bytes_;
  std::string bytes_;
};

template <size_t kWidth>
class FixedWidthRecords final : public Records {
 public:
  using Bytes = std::array<char, kWidth>;

  FixedWidthRecords(std::vector<Bytes> sorted_keys, size_t value_bytes)
      : keys_(std::move(sorted_keys)), values_(value_bytes) {}

  size_t size() const override { return keys_.size(); }
  std::string_view key(size_t i) const override {
    return {keys_[i].data(), kWidth};
  }
  std::string_view value(size_t i) const override { return values_.value(i); }

 private:
  const std::vector<Bytes> keys_;
  const RandomValues values_;
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

using RandomBytes = FixedWidthRecords<sizeof(Key::bytes)>::Bytes;
using EventKey = FixedWidthRecords<12>::Bytes;

EventKey MakeEventKey(uint64_t user, uint64_t event) {
  EventKey key;
  for (size_t i = 0; i < 8; ++i) {
    key[i] = static_cast<char>(user >> (56 - 8 * i));
  }
  for (size_t i = 0; i < 4; ++i) {
    key[8 + i] = static_cast<char>(event >> (24 - 8 * i));
  }
  return key;
}

bool SortsBefore(const RandomBytes& a, const RandomBytes& b) {
  return std::string_view(a.data(), a.size()) <
         std::string_view(b.data(), b.size());
}

std::vector<Lookup> Lookups(const std::vector<std::string>& absent,
                            const Records& records, size_t present_step,
                            size_t absent_in_ten, size_t count, uint64_t seed) {
  if (absent_in_ten > 0) {
    count = std::min(count, absent.size() * 10 / absent_in_ten);
  }
  std::mt19937_64 random(seed);
  std::vector<Lookup> lookups;
  lookups.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t absent_before = i * absent_in_ten / 10;
    if ((i + 1) * absent_in_ten / 10 > absent_before) {
      lookups.push_back({absent[absent_before], {}});
    } else {
      const size_t steps = (records.size() - 1) / present_step + 1;
      const size_t drawn = random() % steps * present_step;
      lookups.push_back({records.key(drawn), records.value(drawn)});
    }
  }
  return lookups;
}

}  // namespace

DataSet RandomDataSet(size_t num_records, size_t value_bytes,
                      size_t num_absent) {
  std::vector<RandomBytes> keys(num_records);
  for (size_t i = 0; i < num_records; ++i) {
    const Key key(2 * i);
    std::copy_n(key.bytes, sizeof(key.bytes), keys[i].begin());
  }
  std::sort(keys.begin(), keys.end(), SortsBefore);
  DataSet data;
  data.keys = "random";
  data.value_bytes = absl::StrCat(value_bytes);
  data.records = std::make_shared<FixedWidthRecords<sizeof(Key::bytes)>>(
      std::move(keys), value_bytes);
  for (size_t i = 0; i < num_absent; ++i) {
    const Key key(2 * i + 1);
    data.absent.emplace_back(key.bytes, sizeof(key.bytes));
  }
  return data;
}

DataSet CounterDataSet(size_t num_records, size_t value_bytes,
                       size_t num_absent) {
  std::vector<EventKey> keys(num_records);
  for (size_t i = 0; i < num_records; ++i) {
    keys[i] = MakeEventKey(2 * (i / kEventsPerUser), i % kEventsPerUser);
  }
  DataSet data;
  data.keys = "counters";
  data.value_bytes = absl::StrCat(value_bytes);
  data.records = std::make_shared<FixedWidthRecords<sizeof(EventKey)>>(
      std::move(keys), value_bytes);
  data.prefix_bytes = 8;
  data.keys_of_prefix = kEventsPerUser;

  std::vector<uint64_t> users(num_records / kEventsPerUser);
  for (size_t i = 0; i < users.size(); ++i) users[i] = 2 * i + 1;
  std::mt19937_64 random(kSeed);
  std::shuffle(users.begin(), users.end(), random);
  const auto add = [](const EventKey& key, std::vector<std::string>* to) {
    to->emplace_back(key.data(), key.size());
  };
  for (uint64_t user : users) {
    if (data.absent_prefixes.size() == num_absent) break;
    add(MakeEventKey(user, 0), &data.absent_prefixes);
  }
  for (uint64_t event = 0; event < kEventsPerUser; ++event) {
    for (uint64_t user : users) {
      if (data.absent.size() == num_absent) return data;
      add(MakeEventKey(user, event), &data.absent);
    }
  }
  return data;
}

DataSet PathDataSet(std::shared_ptr<const PathList> list, size_t num_records,
                    size_t num_absent) {
  DataSet data;
  data.keys = "paths";
  data.value_bytes = "packages";
  data.absent = AbsentPaths(*list, num_absent, kSeed);
  const size_t n = std::max<size_t>(list->size() / num_records, 1);
  data.records = std::make_shared<EveryNthRecord>(std::move(list), n);
  return data;
}

std::vector<Lookup> KeyLookups(const DataSet& data, size_t absent_in_ten,
                               size_t count, uint64_t seed) {
  return Lookups(data.absent, *data.records, 1, absent_in_ten, count, seed);
}

std::vector<Lookup> PrefixLookups(const DataSet& data, size_t absent_in_ten,
                                  size_t count, uint64_t seed) {
  return Lookups(data.absent_prefixes, *data.records, data.keys_of_prefix,
                 absent_in_ten, count, seed);
}

}  // namespace oneline
