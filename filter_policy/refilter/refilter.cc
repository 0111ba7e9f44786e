#include "oneline/refilter.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "filter_policy/refilter/refilter_run.h"
#include "filter_policy/rocksdb/build_check.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kMostThreads = 64;

Status CheckArguments(const rocksdb::DB* db, const RefilterOptions& options) {
  if (db == nullptr) return Status::InvalidArgument("db is null");
  if (options.threads < 1 || options.threads > kMostThreads) {
    return Status::InvalidArgument(
        "threads=" + std::to_string(options.threads) + ": must be 1 to " +
        std::to_string(kMostThreads));
  }
  const auto& families = options.column_families;
  if (std::find(families.begin(), families.end(), nullptr) != families.end()) {
    return Status::InvalidArgument("column_families: a handle is null");
  }
  // Such a policy writes no filters: each would be removed.
  return CheckBuild();
}

// `stop`: as of RefilterRun.
Status RunRefilter(rocksdb::DB* db, const RefilterOptions& options,
                   const std::atomic<bool>* stop, RefilterReport* report) {
  *report = RefilterReport();
  const Status arguments = CheckArguments(db, options);
  if (!arguments.ok()) return arguments;
  try {
    return RefilterRun(db, options, stop, report).Run();
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit();
  }
}

}  // namespace

Status ONELINE_ABI::Refilter(rocksdb::DB* db, const RefilterOptions& options,
                             RefilterReport* report) {
  RefilterReport unused;
  return RunRefilter(db, options, nullptr,
                     report == nullptr ? &unused : report);
}

class RefilterThread::Run {
 public:
  Run(rocksdb::DB* db, RefilterOptions options, Done done) {
    try {
      thread_ = std::thread([this, db, options = std::move(options), done] {
        RefilterReport report;
        const Status status = RunRefilter(db, options, &stop_, &report);
        if (done != nullptr) done(status, report);
      });
    } catch (const std::system_error& error) {
      if (done != nullptr) done(Status::Aborted(error.what()), {});
    }
  }

  void Stop() {
    stop_ = true;
    std::lock_guard<std::mutex> lock(mutex_);
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // of the thread's end
  std::thread thread_;
};

RefilterThread::RefilterThread(rocksdb::DB* db, const RefilterOptions& options,
                               Done done)
    : run_(std::make_unique<Run>(db, options, std::move(done))) {}

RefilterThread::~RefilterThread() { Stop(); }

void RefilterThread::Stop() { run_->Stop(); }

}  // namespace oneline
