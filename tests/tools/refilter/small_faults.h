// A file system that fails at one operation, and forgets what was not synced:
// what a disk has after a power loss.

#ifndef ONELINE_TESTS_TOOLS_REFILTER_SMALL_FAULTS_H_
#define ONELINE_TESTS_TOOLS_REFILTER_SMALL_FAULTS_H_

#include <rocksdb/file_system.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/run_program.h"

namespace oneline {

// Counts the operations that change the disk: creations, appends, syncs,
// renames, links, deletions. From operation `fail_at` on (1 is the first) all
// fail; the failing one is half done if it is an append. Thread-safe.
class FaultFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FaultFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "test.Faults"; }

  void FailAt(int operation) { fail_at_ = operation; }
  int operations() const { return operations_; }
  const std::vector<std::string>& log() const { return log_; }

  // What a power loss leaves of changes of names that were not synced. Bytes
  // that were not synced are lost in any case.
  enum class Names { kAll, kNone, kDeletionsOnly, kReplacementsOnly };
  // Makes the files those that the disk may have after a power loss.
  void LosePower(Names left);

  rocksdb::IOStatus NewWritableFile(
      const std::string& path, const rocksdb::FileOptions& options,
      std::unique_ptr<rocksdb::FSWritableFile>* file,
      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(
      const std::string& path, const rocksdb::IOOptions& options,
      std::unique_ptr<rocksdb::FSDirectory>* directory,
      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;

  // For the files and directories that it makes. False: the operation fails.
  bool Count(const std::string& what);
  void NoteSync(const std::string& path, size_t bytes);
  void NoteDirectorySync(const std::string& path);

 private:
  std::mutex mutex_;
  int fail_at_ = 0;
  int operations_ = 0;
  std::vector<std::string> log_;
  // By the path at which the file was written: synced bytes.
  std::map<std::string, size_t> synced_;
  // Names changed since the last sync of their directory: what they had before.
  struct Before {
    bool existed = false;
    std::string bytes;
  };
  std::map<std::string, Before> unsynced_names_;

  void NoteName(const std::string& path);
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_REFILTER_SMALL_FAULTS_H_
