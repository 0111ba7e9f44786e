// A file system that loses power: what was not synced is gone, and the n-th
// write, sync, rename or read fails. For tests that a crash loses nothing.

#ifndef ONELINE_TESTS_FILTER_POLICY_FAULT_FILE_SYSTEM_H_
#define ONELINE_TESTS_FILTER_POLICY_FAULT_FILE_SYSTEM_H_

#include <rocksdb/file_system.h>
#include <rocksdb/slice.h>

#include "tests/filter_policy/unsynced_files.h"

namespace oneline {

// Wraps the default file system. What programs write through it reaches the
// disk, so that they see it; LosePower takes away what a disk might not have.
//
//   1. Run the program once, and take operations().
//   2. For each n up to that: FailAt(n, ...), run the program, close it,
//      LosePower(), and look at what is left.
//
// Thread-safe, except LosePower.
class FaultFileSystem final : public rocksdb::FileSystemWrapper {
  using Debug = rocksdb::IODebugContext;
  using Lock = UnsyncedFiles::Lock;
  using FileOptions = rocksdb::FileOptions;
  using Options = rocksdb::IOOptions;
  using Path = std::string;
  using Status = rocksdb::IOStatus;
  using WritablePtr = std::unique_ptr<rocksdb::FSWritableFile>;

 public:
  // How much of the unsynced is left follows from the seed.
  explicit FaultFileSystem(uint64_t seed)
      : FileSystemWrapper(FileSystem::Default()), files_(seed) {}

  const char* Name() const override { return "FaultFileSystem"; }

  // How many operations have changed files or folders: each write, truncation,
  // sync, creation, deletion, link and rename. Of programs with more than one
  // thread the number may differ from run to run. And reads of files that are
  // opened for random access.
  uint64_t operations() const {
    const Lock lock(files_.mutex);
    return files_.operations.count;
  }
  uint64_t reads() const {
    const Lock lock(files_.mutex);
    return files_.reads.count;
  }

  // The operation, or the read, after `more` further ones fails with an
  // IOError. Of reads one fails.
  void FailAt(uint64_t more, Fault fault) {
    const Lock lock(files_.mutex);
    const uint64_t count = files_.operations.count;
    files_.operations = {count, count + more, fault};
  }
  void FailReadAt(uint64_t more) {
    const Lock lock(files_.mutex);
    files_.reads = {files_.reads.count, files_.reads.count + more};
  }
  // Whether it has come.
  bool failed() const {
    const Lock lock(files_.mutex);
    return files_.operations.failed || files_.reads.failed;
  }
  // Takes back what FailAt and FailReadAt said.
  void Repair() {
    const Lock lock(files_.mutex);
    files_.operations = {files_.operations.count};
    files_.reads = {files_.reads.count};
  }

  // Cuts each file to a random length between what was synced and what was
  // written, and takes back a random number of the last creations, links and
  // renames in each folder since it was synced, as file systems with journals
  // do. (If any others could be lost, RocksDB's own opening would lose its
  // MANIFEST. Deletions stay: a file that comes back is the smaller evil.) Then
  // all works again.
  // REQUIRES: no file is open for writing, and log files are not recycled.
  void LosePower() {
    Repair();
    files_.LosePower();
  }

  Status NewWritableFile(const Path& path, const FileOptions& options,
                         WritablePtr* file, Debug* debug) override {
    const NewName name = UnsyncedFiles::Describe(path);
    const Status status = Count([&] {
      return FileSystemWrapper::NewWritableFile(path, options, file, debug);
    });
    if (!status.ok()) return status;
    files_.Note(name);
    *file = std::make_unique<File>(std::move(*file), this,
                                   files_.Opened(path, /*empty=*/true));
    return status;
  }
  Status ReopenWritableFile(const Path& path, const FileOptions& options,
                            WritablePtr* file, Debug* debug) override {
    const NewName name = UnsyncedFiles::Describe(path);
    const Status status = Count([&] {
      return FileSystemWrapper::ReopenWritableFile(path, options, file, debug);
    });
    if (!status.ok()) return status;
    if (!name.replaced) files_.Note(name);
    *file = std::make_unique<File>(std::move(*file), this,
                                   files_.Opened(path, /*empty=*/false));
    return status;
  }
  Status NewRandomAccessFile(const Path& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                             Debug* debug) override {
    const Status status =
        FileSystemWrapper::NewRandomAccessFile(path, options, file, debug);
    if (status.ok()) *file = std::make_unique<Reader>(std::move(*file), this);
    return status;
  }
  Status NewDirectory(const Path& path, const Options& options,
                      std::unique_ptr<rocksdb::FSDirectory>* folder,
                      Debug* debug) override {
    const Status status =
        FileSystemWrapper::NewDirectory(path, options, folder, debug);
    if (status.ok()) {
      *folder = std::make_unique<Folder>(std::move(*folder), this, path);
    }
    return status;
  }
  Status DeleteFile(const Path& path, const Options& options,
                    Debug* debug) override {
    const Status status = Count(
        [&] { return FileSystemWrapper::DeleteFile(path, options, debug); });
    if (status.ok()) files_.Deleted(path);
    return status;
  }
  Status RenameFile(const Path& from, const Path& to, const Options& options,
                    Debug* debug) override {
    const NewName name = UnsyncedFiles::Describe(to, from);
    const Status status = Count([&] {
      return FileSystemWrapper::RenameFile(from, to, options, debug);
    });
    if (!status.ok()) return status;
    files_.Note(name);
    files_.Renamed(from, to, /*stays=*/false);
    return status;
  }
  Status LinkFile(const Path& from, const Path& to, const Options& options,
                  Debug* debug) override {
    const NewName name = UnsyncedFiles::Describe(to);
    const Status status = Count(
        [&] { return FileSystemWrapper::LinkFile(from, to, options, debug); });
    if (!status.ok()) return status;
    files_.Note(name);
    files_.Renamed(from, to, /*stays=*/true);
    return status;
  }

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(WritablePtr file, FaultFileSystem* system, WrittenPtr written)
        : FSWritableFileOwnerWrapper(std::move(file)),
          system_(system),
          written_(std::move(written)) {}

    Status Append(const rocksdb::Slice& data, const Options& options,
                  Debug* debug) override {
      const Status status = system_->Count();
      if (!status.ok() && system_->power_is_lost()) return status;
      // A write that fails may have begun.
      const size_t size = status.ok() ? data.size() : data.size() / 2;
      const Status appended = FSWritableFileOwnerWrapper::Append(
          rocksdb::Slice(data.data(), size), options, debug);
      const Lock lock(system_->files_.mutex);
      if (appended.ok()) written_->size += size;
      return status.ok() ? appended : status;
    }
    Status Append(const rocksdb::Slice& data, const Options& options,
                  const rocksdb::DataVerificationInfo&, Debug* debug) override {
      return Append(data, options, debug);
    }
    Status Truncate(uint64_t size, const Options& options,
                    Debug* debug) override {
      const Status status = system_->Count([&] {
        return FSWritableFileOwnerWrapper::Truncate(size, options, debug);
      });
      const Lock lock(system_->files_.mutex);
      if (status.ok()) written_->size = size;
      if (status.ok()) written_->synced = std::min(written_->synced, size);
      return status;
    }
    Status Sync(const Options& options, Debug* debug) override {
      // Without the appends that come meanwhile.
      uint64_t size;
      {
        const Lock lock(system_->files_.mutex);
        size = written_->size;
      }
      // The file system below need not wait for a disk.
      const Status status = system_->Count(
          [&] { return FSWritableFileOwnerWrapper::Flush(options, debug); });
      const Lock lock(system_->files_.mutex);
      if (status.ok()) written_->synced = std::max(written_->synced, size);
      return status;
    }
    Status Fsync(const Options& options, Debug* debug) override {
      return Sync(options, debug);
    }

   private:
    FaultFileSystem* const system_;
    const WrittenPtr written_;
  };

  class Reader final : public rocksdb::FSRandomAccessFileOwnerWrapper {
   public:
    Reader(std::unique_ptr<rocksdb::FSRandomAccessFile> file,
           FaultFileSystem* system)
        : FSRandomAccessFileOwnerWrapper(std::move(file)), system_(system) {}

    Status Read(uint64_t offset, size_t n, const Options& options,
                rocksdb::Slice* result, char* scratch,
                Debug* debug) const override {
      const Status status = system_->CountRead();
      if (!status.ok()) return status;
      return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                  scratch, debug);
    }
    Status MultiRead(rocksdb::FSReadRequest* requests, size_t n,
                     const Options& options, Debug* debug) override {
      const Status status = system_->CountRead();
      if (!status.ok()) return status;
      return FSRandomAccessFileOwnerWrapper::MultiRead(requests, n, options,
                                                       debug);
    }

   private:
    FaultFileSystem* const system_;
  };

  class Folder final : public rocksdb::FSDirectory {
   public:
    Folder(std::unique_ptr<rocksdb::FSDirectory> folder,
           FaultFileSystem* system, const Path& path)
        : folder_(std::move(folder)), system_(system), path_(path) {}

    Status Fsync(const Options&, Debug*) override {
      const Status status = system_->Count();
      if (status.ok()) system_->files_.SyncedFolder(path_);
      return status;
    }
    Status Close(const Options& options, Debug* debug) override {
      return folder_->Close(options, debug);
    }

   private:
    const std::unique_ptr<rocksdb::FSDirectory> folder_;
    FaultFileSystem* const system_;
    const Path path_;
  };

  // Counts an operation and does it, or fails.
  Status Count() {
    const Lock lock(files_.mutex);
    if (files_.operations.Next()) return Status::OK();
    return Status::IOError("planted fault");
  }
  template <typename Do>
  Status Count(const Do& operation) {
    const Status status = Count();
    return status.ok() ? operation() : status;
  }
  Status CountRead() {
    const Lock lock(files_.mutex);
    if (files_.reads.Next()) return Status::OK();
    return Status::IOError("planted fault of a read");
  }
  bool power_is_lost() const {
    const Lock lock(files_.mutex);
    return files_.operations.failed && files_.operations.fault == Fault::kPower;
  }

  UnsyncedFiles files_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_FAULT_FILE_SYSTEM_H_
