#include "tools/sst/environments.h"

#include <rocksdb/file_system.h>

#include <string>
#include <utility>

#include "absl/strings/match.h"

namespace oneline {
namespace {

using rocksdb::FSRandomAccessFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using Limiter = std::shared_ptr<rocksdb::RateLimiter>;

class LimitedFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  LimitedFile(std::unique_ptr<FSRandomAccessFile> file, Limiter limiter)
      : FSRandomAccessFileOwnerWrapper(std::move(file)),
        limiter_(std::move(limiter)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                rocksdb::Slice* result, char* scratch,
                IODebugContext* debug) const override {
    for (size_t left = n; left > 0;) {
      left -= limiter_->RequestToken(left, 0, rocksdb::Env::IO_LOW, nullptr,
                                     rocksdb::RateLimiter::OpType::kRead);
    }
    return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                scratch, debug);
  }
  // By Read.
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t n,
                     const IOOptions& options, IODebugContext* debug) override {
    return FSRandomAccessFile::MultiRead(requests, n, options, debug);
  }
  // The system would read ahead without a limit; RocksDB then does it itself.
  IOStatus Prefetch(uint64_t, size_t, const IOOptions&,
                    IODebugContext*) override {
    return IOStatus::NotSupported("limited reads");
  }

 private:
  const Limiter limiter_;
};

class LimitedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit LimitedFileSystem(Limiter limiter)
      : FileSystemWrapper(rocksdb::FileSystem::Default()),
        limiter_(std::move(limiter)) {}

  const char* Name() const override { return "oneline.LimitedFileSystem"; }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const rocksdb::FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* file,
                               IODebugContext* debug) override {
    std::unique_ptr<FSRandomAccessFile> unlimited;
    const IOStatus status =
        target()->NewRandomAccessFile(path, options, &unlimited, debug);
    if (status.ok()) {
      *file = std::make_unique<LimitedFile>(std::move(unlimited), limiter_);
    }
    return status;
  }

 private:
  const Limiter limiter_;
};

class ReadOnlyFiles final : public rocksdb::FileSystemWrapper {
 public:
  ReadOnlyFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "ReadOnlyFiles"; }

  // RocksDB compares the sizes of logs with the MANIFEST, so they are there.
  IOStatus NewSequentialFile(const std::string& path,
                             const rocksdb::FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             IODebugContext* debug) override {
    return target()->NewSequentialFile(
        absl::EndsWith(path, ".log") ? "/dev/null" : path, options, file,
        debug);
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions&,
                      IODebugContext*) override {
    return IOStatus::NotSupported(path, "is only read");
  }
};

}  // namespace

std::unique_ptr<rocksdb::Env> NewEnvWithLimitedReads(
    std::shared_ptr<rocksdb::RateLimiter> limiter) {
  return rocksdb::NewCompositeEnv(
      std::make_shared<LimitedFileSystem>(std::move(limiter)));
}

rocksdb::Env* ReadOnlyEnv() {
  static rocksdb::Env* const env =
      rocksdb::NewCompositeEnv(std::make_shared<ReadOnlyFiles>()).release();
  return env;
}

}  // namespace oneline
