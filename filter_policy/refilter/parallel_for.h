// Work in several threads, or in fewer where the system has no more.

#ifndef ONELINE_FILTER_POLICY_REFILTER_PARALLEL_FOR_H_
#define ONELINE_FILTER_POLICY_REFILTER_PARALLEL_FOR_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace oneline {

// Calls `work(i)` once for each i in 0..n-1, in their order, in `jobs` threads,
// of which the caller's is one, or in fewer if the system has no more. If it
// throws an exception, no further call begins, and the exception is passed on.
template <typename Work>
void ParallelFor(size_t n, int jobs, const Work& work) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto run = [&] {
    try {
      for (size_t i; (i = next.fetch_add(1)) < n;) work(i);
    } catch (...) {
      next = n;
      std::lock_guard<std::mutex> lock(mutex);
      thrown = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  try {
    while (threads.size() + 1 < std::min(n, static_cast<size_t>(jobs))) {
      threads.emplace_back(run);
    }
  } catch (const std::exception&) {
    // Of threads or memory there are too few: those that there are do the work.
  }
  run();
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_PARALLEL_FOR_H_
