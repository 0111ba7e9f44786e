#include "tools/database/read_only_env.h"

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

#include "absl/strings/match.h"

namespace oneline {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

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

rocksdb::Env* ReadOnlyEnv() {
  static rocksdb::Env* const env =
      rocksdb::NewCompositeEnv(std::make_shared<ReadOnlyFiles>()).release();
  return env;
}

}  // namespace oneline
