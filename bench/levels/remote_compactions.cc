#include "bench/levels/remote_compactions.h"

#include <rocksdb/db.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>

#include <map>
#include <mutex>
#include <utility>

namespace oneline {
namespace {

using rocksdb::CompactionServiceJobInfo;
using rocksdb::CompactionServiceJobStatus;

class RemoteCompactions final : public rocksdb::CompactionService {
 public:
  RemoteCompactions(
      std::string path,
      std::function<std::shared_ptr<const rocksdb::FilterPolicy>()> new_policy)
      : path_(std::move(path)), new_policy_(std::move(new_policy)) {}

  const char* Name() const override { return "RemoteCompactions"; }

#if ROCKSDB_MAJOR > 9 || (ROCKSDB_MAJOR == 9 && ROCKSDB_MINOR >= 7)
  rocksdb::CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo&, const std::string& input) override {
    return {Keep(input), CompactionServiceJobStatus::kSuccess};
  }
  CompactionServiceJobStatus Wait(const std::string& job,
                                  std::string* result) override {
    return Run(job, result);
  }
#else
  CompactionServiceJobStatus StartV2(const CompactionServiceJobInfo& info,
                                     const std::string& input) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    inputs_[std::to_string(info.job_id)] = input;
    return CompactionServiceJobStatus::kSuccess;
  }
  CompactionServiceJobStatus WaitForCompleteV2(
      const CompactionServiceJobInfo& info, std::string* result) override {
    return Run(std::to_string(info.job_id), result);
  }
#endif

 private:
#if ROCKSDB_MAJOR > 9 || (ROCKSDB_MAJOR == 9 && ROCKSDB_MINOR >= 7)
  std::string Keep(const std::string& input) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string job = std::to_string(inputs_.size());
    inputs_[job] = input;
    return job;
  }
#endif

  CompactionServiceJobStatus Run(const std::string& job, std::string* result) {
    std::string input;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      input = inputs_[job];
    }
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy = new_policy_();
    rocksdb::CompactionServiceOptionsOverride worker;
    worker.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    const rocksdb::Status status = rocksdb::DB::OpenAndCompact(
        path_, path_ + "-worker-" + job, input, result, worker);
    return status.ok() ? CompactionServiceJobStatus::kSuccess
                       : CompactionServiceJobStatus::kFailure;
  }

  const std::string path_;
  const std::function<std::shared_ptr<const rocksdb::FilterPolicy>()>
      new_policy_;
  std::mutex mutex_;
  std::map<std::string, std::string> inputs_;  // by job
};

}  // namespace

std::shared_ptr<rocksdb::CompactionService> NewRemoteCompactions(
    const std::string& path,
    std::function<std::shared_ptr<const rocksdb::FilterPolicy>()> new_policy) {
  return std::make_shared<RemoteCompactions>(path, std::move(new_policy));
}

}  // namespace oneline
