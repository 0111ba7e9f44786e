#include "tools/command/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace oneline {
void ParallelFor(size_t n, int jobs, const std::function<void(size_t)>& work) {
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
  const size_t wanted = std::min(n, static_cast<size_t>(jobs));
  std::vector<std::thread> threads;
  threads.reserve(wanted);
  try {
    for (size_t i = 1; i < wanted; ++i) threads.emplace_back(run);
  } catch (const std::exception&) {
    // The system has no more threads: those that there are do the work.
  }
  run();
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace oneline
