// Measures elapsed time and processor time.

#ifndef ONELINE_BENCH_MEASURE_CLOCKS_H_
#define ONELINE_BENCH_MEASURE_CLOCKS_H_

#include <time.h>

namespace oneline {

struct ElapsedTime {
  double wall_seconds = 0;
  double cpu_seconds = 0;

  ElapsedTime& operator+=(const ElapsedTime& other) {
    wall_seconds += other.wall_seconds;
    cpu_seconds += other.cpu_seconds;
    return *this;
  }
};

// The time of a clock in seconds.
inline double SecondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

// Runs from its construction on. `cpu_clock` is CLOCK_THREAD_CPUTIME_ID for the
// processor time of this thread, or CLOCK_PROCESS_CPUTIME_ID for that of all
// threads of the process.
class Stopwatch {
 public:
  explicit Stopwatch(clockid_t cpu_clock)
      : cpu_clock_(cpu_clock),
        wall_(SecondsOf(CLOCK_MONOTONIC)),
        cpu_(SecondsOf(cpu_clock)) {}

  ElapsedTime Elapsed() const {
    return {SecondsOf(CLOCK_MONOTONIC) - wall_, SecondsOf(cpu_clock_) - cpu_};
  }

 private:
  const clockid_t cpu_clock_;
  const double wall_;
  const double cpu_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_CLOCKS_H_
