// A limit for the bytes that are read per second.

#ifndef ONELINE_FILTER_POLICY_REFILTER_READ_RATE_H_
#define ONELINE_FILTER_POLICY_REFILTER_READ_RATE_H_

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace oneline {

// Not thread-safe.
class ReadRate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // 0: no limit.
  explicit ReadRate(uint64_t bytes_per_second)
      : bytes_per_second_(static_cast<double>(bytes_per_second)) {}

  // Counts what was read up to `now`. Returns when more may be read: after as
  // long as all that was read takes. Time in which nothing was read gives no
  // right to read more later.
  Time Add(uint64_t bytes, Time now) {
    if (bytes_per_second_ == 0) return now;
    const std::chrono::duration<double> seconds(
        std::min(static_cast<double>(bytes) / bytes_per_second_,
                 static_cast<double>(kLongest.count())));
    next_ = std::min(std::max(next_, now) +
                         std::chrono::duration_cast<Time::duration>(seconds),
                     now + kLongest);
    return next_;
  }

 private:
  // 31 years, which the clock can count.
  static constexpr std::chrono::seconds kLongest{1000000000};

  const double bytes_per_second_;
  Time next_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_READ_RATE_H_
