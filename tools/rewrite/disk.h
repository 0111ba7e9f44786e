// All reading, writing, syncing, renaming and deleting of files, through
// RocksDB's interface to file systems, so that tests can put one between that
// fails, or forgets what was not synced.

#ifndef ONELINE_TOOLS_REWRITE_DISK_H_
#define ONELINE_TOOLS_REWRITE_DISK_H_

#include <rocksdb/file_system.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// Errors are Unavailable, NotFound for a file that does not exist; messages
// begin with the path. Thread-safe.
class Disk {
 public:
  // Copies at most `bytes` from where one open file is read to where another is
  // written, as copy_file_range does: the number copied, 0 at the file's end,
  // or -1 if it does not work.
  using CopyRange = ssize_t (*)(int from, int to, size_t bytes);

  explicit Disk(std::shared_ptr<rocksdb::FileSystem> files)
      : Disk(std::move(files), nullptr) {}
  // For tests; null is copy_file_range.
  Disk(std::shared_ptr<rocksdb::FileSystem> files, CopyRange copy_range);

  // A file that is being written. Not thread-safe. Deletes nothing.
  class Output {
   public:
    absl::Status Append(std::string_view bytes);
    // Writes all to the disk and closes the file.
    absl::Status SyncAndClose();

   private:
    friend class Disk;
    std::string path_;
    std::unique_ptr<rocksdb::FSWritableFile> file_;
  };

  // A file that is being read. Thread-safe.
  class Input {
   public:
    // Exactly `n` bytes; DataLoss if the file has fewer.
    absl::StatusOr<std::string> Read(uint64_t offset, uint64_t n) const;
    uint64_t bytes() const { return bytes_; }

   private:
    friend class Disk;
    std::string path_;
    uint64_t bytes_ = 0;
    std::unique_ptr<rocksdb::FSRandomAccessFile> file_;
  };

  // Creates the file, or empties it.
  absl::StatusOr<Output> Create(const std::string& path) const;
  // The same, with the first bytes of another file, to which more can be
  // appended. They take no space where the file system lets files share blocks.
  // `may_go_on` is asked often; an error of it ends the copying.
  absl::StatusOr<Output> CreateCopy(
      const std::string& path, const Input& from, uint64_t bytes,
      const std::function<absl::Status()>& may_go_on) const;
  absl::StatusOr<Input> Open(const std::string& path) const;
  absl::StatusOr<std::string> ReadAll(const std::string& path) const;
  // Create, Append and SyncAndClose.
  absl::Status WriteAll(const std::string& path, std::string_view bytes) const;
  absl::Status SyncDirectory(const std::string& path) const;
  absl::Status Rename(const std::string& from, const std::string& to) const;
  absl::Status Delete(const std::string& path) const;
  absl::Status Link(const std::string& from, const std::string& to) const;
  absl::Status CreateDirectory(const std::string& path) const;
  absl::Status DeleteDirectory(const std::string& path) const;
  absl::StatusOr<std::vector<std::string>> List(const std::string& path) const;
  absl::StatusOr<uint64_t> FreeBytes(const std::string& path) const;

  // The lock that RocksDB takes when it opens a database, until the result is
  // destroyed.
  using Lock = std::shared_ptr<rocksdb::FileLock>;
  absl::StatusOr<Lock> TakeLock(const std::string& path) const;

 private:
  absl::StatusOr<uint64_t> CopyInSystem(
      const std::string& path, const Input& from, uint64_t bytes,
      const std::function<absl::Status()>& may_go_on) const;

  const std::shared_ptr<rocksdb::FileSystem> files_;
  const CopyRange copy_range_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_DISK_H_
