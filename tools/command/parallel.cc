#include "tools/command/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

constexpr int kMaxJobs = 256;

}  // namespace

bool AbslParseFlag(absl::string_view text, JobCount* count,
                   std::string* error) {
  int jobs;
  if (absl::SimpleAtoi(text, &jobs) && jobs >= 1 && jobs <= kMaxJobs) {
    count->jobs = jobs;
    return true;
  }
  *error = absl::StrCat("must be a number from 1 to ", kMaxJobs);
  return false;
}

std::string AbslUnparseFlag(const JobCount& count) {
  return absl::StrCat(count.jobs);
}

void ParallelFor(size_t n, JobCount count,
                 const std::function<void(size_t)>& work) {
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
  const size_t wanted = std::min(n, static_cast<size_t>(count.jobs));
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
