#include "oneline/refilter.h"

#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <system_error>
#include <thread>

#include "filter_policy/refilter/refilter_run.h"
#include "filter_policy/refilter/table_compaction.h"
#include "filter_policy/rocksdb/build_check.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kMostThreads = 64;

// A handle of another database would have RocksDB read memory that is not its
// own. It shows by the paths: this database has no tables in those of the
// handle, and none of a family that was dropped.
bool IsOfDatabase(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  rocksdb::ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(handle, &meta);
  if (meta.file_count == 0) return true;
  const auto paths = db->GetOptions(handle).cf_paths;
  const auto tables = ListTables(db, handle->GetName());
  return std::any_of(tables.begin(), tables.end(), [&](const auto& table) {
    return std::any_of(paths.begin(), paths.end(), [&](const auto& path) {
      return path.path == table.directory;
    });
  });
}

Status CheckArguments(rocksdb::DB* db, const RefilterOptions& options) {
  if (db == nullptr) return Status::InvalidArgument("db is null");
  if (options.threads < 1 || options.threads > kMostThreads) {
    return Status::InvalidArgument(
        "threads=" + std::to_string(options.threads) + ": must be 1 to " +
        std::to_string(kMostThreads));
  }
  const std::string about = "column_families: ";
  std::set<std::string> names;
  for (rocksdb::ColumnFamilyHandle* handle : options.column_families) {
    if (handle == nullptr) {
      return Status::InvalidArgument(about + "a handle is null");
    }
    const std::string name = handle->GetName();
    if (!IsOfDatabase(db, handle)) {
      return Status::InvalidArgument(
          about + "'" + name + "' is of another database, or was dropped");
    }
    if (!names.insert(name).second) {
      return Status::InvalidArgument(about + "'" + name + "' is there twice");
    }
  }
  Status build = CheckExactVersion();
  // The policy then writes others than it should.
  if (build.ok() && !WhatIsWrong().empty()) {
    build = Status::NotSupported(WhatIsWrong());
  }
  return build;
}

// `stop`: as of RunRefilter.
Status Call(rocksdb::DB* db, RefilterOptions options,
            const std::atomic<bool>* stop, RefilterReport* report) {
  *report = RefilterReport();
  const Status arguments = CheckArguments(db, options);
  if (!arguments.ok()) return arguments;
  if (options.column_families.empty()) {
    options.column_families = {db->DefaultColumnFamily()};
  }
  try {
    return RunRefilter(db, options, stop, report);
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit();
  }
}

}  // namespace

Status ONELINE_ABI::Refilter(rocksdb::DB* db, const RefilterOptions& options,
                             RefilterReport* report) {
  RefilterReport unused;
  return Call(db, options, nullptr, report == nullptr ? &unused : report);
}

class RefilterThread::Run {
 public:
  Run(rocksdb::DB* db, const RefilterOptions& options, const Done& done) {
    try {
      thread_ = std::thread([this, db, options, done] {
        RefilterReport report;
        const Status status = Call(db, options, &stop_, &report);
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
    : run_(std::make_unique<Run>(db, options, done)) {}

RefilterThread::~RefilterThread() { Stop(); }

void RefilterThread::Stop() { run_->Stop(); }

}  // namespace oneline
