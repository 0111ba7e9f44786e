// Requests at fixed times, whatever the requests before them took (an open
// loop). A request's latency begins when it is due, so it includes the time for
// which it waits for those before it, which a closed loop leaves out.

#ifndef ONELINE_BENCH_LOAD_PACED_REQUESTS_H_
#define ONELINE_BENCH_LOAD_PACED_REQUESTS_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace oneline {

struct Pace {
  // 0: a closed loop, each request is due when the one before it has ended.
  double per_second = 0;
  double seconds = 0;  // requests that are due in this time are made
};

// Makes the requests in this thread and returns how many. Appends to `micros`
// the latency of those that return true.
uint64_t MakePacedRequests(const Pace& pace,
                           const std::function<bool()>& request,
                           std::vector<float>* micros);

}  // namespace oneline

#endif  // ONELINE_BENCH_LOAD_PACED_REQUESTS_H_
