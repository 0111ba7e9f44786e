#include "tests/tools/refilter/small_faults.h"

#include <fstream>

namespace oneline {
namespace {

rocksdb::IOStatus Fault() {
  return rocksdb::IOStatus::IOError("injected fault");
}

class File final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  File(FaultFileSystem* files, std::string path,
       std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)),
        files_(*files),
        path_(std::move(path)) {}

  using FSWritableFileOwnerWrapper::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice& bytes,
                           const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    const bool works = files_.Count("append to " + path_);
    const rocksdb::Slice written(bytes.data(),
                                 works ? bytes.size() : bytes.size() / 2);
    const rocksdb::IOStatus status =
        FSWritableFileOwnerWrapper::Append(written, options, debug);
    bytes_ += written.size();
    return works ? status : Fault();
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override {
    if (!files_.Count("sync " + path_)) return Fault();
    files_.NoteSync(path_, bytes_);
    return FSWritableFileOwnerWrapper::Sync(options, debug);
  }

 private:
  FaultFileSystem& files_;
  const std::string path_;
  size_t bytes_ = 0;
};

class Directory final : public rocksdb::FSDirectoryWrapper {
 public:
  Directory(FaultFileSystem* files, std::string path,
            std::unique_ptr<rocksdb::FSDirectory>&& directory)
      : FSDirectoryWrapper(std::move(directory)),
        files_(*files),
        path_(std::move(path)) {}

  rocksdb::IOStatus FsyncWithDirOptions(
      const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug,
      const rocksdb::DirFsyncOptions& how) override {
    if (!files_.Count("sync directory " + path_)) return Fault();
    files_.NoteDirectorySync(path_);
    return FSDirectoryWrapper::FsyncWithDirOptions(options, debug, how);
  }

 private:
  FaultFileSystem& files_;
  const std::string path_;
};

std::string ParentOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

}  // namespace

bool FaultFileSystem::Count(const std::string& what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++operations_;
  log_.push_back(what);
  return fail_at_ == 0 || operations_ < fail_at_;
}

void FaultFileSystem::NoteSync(const std::string& path, size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  synced_[path] = bytes;
}

void FaultFileSystem::NoteDirectorySync(const std::string& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = unsynced_names_.begin(); it != unsynced_names_.end();) {
    it =
        ParentOf(it->first) == path ? unsynced_names_.erase(it) : std::next(it);
  }
}

void FaultFileSystem::NoteName(const std::string& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool exists = std::filesystem::exists(path);
  // What was there first counts.
  unsynced_names_.emplace(path,
                          Before{exists, exists ? ReadWholeFile(path) : ""});
}

void FaultFileSystem::LosePower(Names left) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [path, bytes] : synced_) {
    if (!std::filesystem::exists(path)) continue;
    if (std::filesystem::file_size(path) > bytes) {
      std::filesystem::resize_file(path, bytes);
    }
  }
  for (const auto& [path, before] : unsynced_names_) {
    const bool exists = std::filesystem::exists(path);
    if (left == Names::kAll ||
        (left == Names::kDeletionsOnly && before.existed && !exists) ||
        (left == Names::kReplacementsOnly && before.existed && exists)) {
      continue;
    }
    // Not through the file's other links.
    std::filesystem::remove(path);
    if (before.existed) {
      std::ofstream(path, std::ios::binary) << before.bytes;
    }
  }
}

rocksdb::IOStatus FaultFileSystem::NewWritableFile(
    const std::string& path, const rocksdb::FileOptions& options,
    std::unique_ptr<rocksdb::FSWritableFile>* file,
    rocksdb::IODebugContext* debug) {
  if (!Count("create " + path)) return Fault();
  NoteName(path);
  NoteSync(path, 0);
  std::unique_ptr<rocksdb::FSWritableFile> inner;
  const rocksdb::IOStatus status =
      FileSystemWrapper::NewWritableFile(path, options, &inner, debug);
  if (status.ok()) *file = std::make_unique<File>(this, path, std::move(inner));
  return status;
}

rocksdb::IOStatus FaultFileSystem::NewDirectory(
    const std::string& path, const rocksdb::IOOptions& options,
    std::unique_ptr<rocksdb::FSDirectory>* directory,
    rocksdb::IODebugContext* debug) {
  std::unique_ptr<rocksdb::FSDirectory> inner;
  const rocksdb::IOStatus status =
      FileSystemWrapper::NewDirectory(path, options, &inner, debug);
  if (status.ok()) {
    *directory = std::make_unique<Directory>(this, path, std::move(inner));
  }
  return status;
}

rocksdb::IOStatus FaultFileSystem::RenameFile(const std::string& from,
                                              const std::string& to,
                                              const rocksdb::IOOptions& options,
                                              rocksdb::IODebugContext* debug) {
  if (!Count("rename to " + to)) return Fault();
  NoteName(from);
  NoteName(to);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto bytes = synced_.find(from);
    if (bytes != synced_.end()) {
      synced_[to] = bytes->second;
      synced_.erase(from);
    }
  }
  return FileSystemWrapper::RenameFile(from, to, options, debug);
}

rocksdb::IOStatus FaultFileSystem::DeleteFile(const std::string& path,
                                              const rocksdb::IOOptions& options,
                                              rocksdb::IODebugContext* debug) {
  if (!Count("delete " + path)) return Fault();
  NoteName(path);
  return FileSystemWrapper::DeleteFile(path, options, debug);
}

rocksdb::IOStatus FaultFileSystem::LinkFile(const std::string& from,
                                            const std::string& to,
                                            const rocksdb::IOOptions& options,
                                            rocksdb::IODebugContext* debug) {
  if (!Count("link " + to)) return Fault();
  NoteName(to);
  return FileSystemWrapper::LinkFile(from, to, options, debug);
}

}  // namespace oneline
