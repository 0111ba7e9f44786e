// Time that passed, and processor time that it took.

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

inline double SecondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

// From its making on. `cpu_clock`: CLOCK_THREAD_CPUTIME_ID for work of this
// thread, CLOCK_PROCESS_CPUTIME_ID for that of background threads, too.
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
