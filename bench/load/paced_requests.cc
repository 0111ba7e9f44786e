#include "bench/load/paced_requests.h"

#include <sys/prctl.h>
#include <time.h>

#include <cmath>

#include "bench/measure/clocks.h"

namespace oneline {
namespace {

// Sleeps, because a thread that spins would take the processor from flushes and
// compactions.
void SleepUntil(double seconds) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>(1e9 * (seconds - std::floor(seconds)));
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

}  // namespace

uint64_t MakePacedRequests(const Pace& pace,
                           const std::function<bool()>& request,
                           std::vector<float>* micros) {
  // By default the kernel may wake this thread 50 us late.
  prctl(PR_SET_TIMERSLACK, 1);
  const double begin = SecondsOf(CLOCK_MONOTONIC);
  uint64_t made = 0;
  for (double due = begin; due < begin + pace.seconds;) {
    const bool is_counted = request();
    ++made;
    const double now = SecondsOf(CLOCK_MONOTONIC);
    if (is_counted) micros->push_back(static_cast<float>(1e6 * (now - due)));
    due = pace.per_second > 0
              ? begin + static_cast<double>(made) / pace.per_second
              : now;
    if (now < due) SleepUntil(due);
  }
  return made;
}

}  // namespace oneline
