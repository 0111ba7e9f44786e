#include "tests/filter_policy/fault_file_system.h"

#include <rocksdb/slice.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace oneline {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

std::string Normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal();
}

std::string FolderOf(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().parent_path();
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class FaultFileSystem::File final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  File(std::unique_ptr<rocksdb::FSWritableFile> file, FaultFileSystem* system,
       WrittenPtr written)
      : FSWritableFileOwnerWrapper(std::move(file)),
        system_(system),
        written_(std::move(written)) {}

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    IOStatus status = system_->Count();
    // A write that fails may have begun.
    const size_t size = status.ok() ? data.size() : data.size() / 2;
    if (status.ok() || !system_->power_is_lost()) {
      const IOStatus appended = FSWritableFileOwnerWrapper::Append(
          Slice(data.data(), size), options, debug);
      const std::lock_guard<std::mutex> lock(system_->mutex_);
      if (appended.ok()) written_->size += size;
      if (status.ok()) status = appended;
    }
    return status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* debug) override {
    IOStatus status = system_->Count();
    if (!status.ok()) return status;
    status = FSWritableFileOwnerWrapper::Truncate(size, options, debug);
    const std::lock_guard<std::mutex> lock(system_->mutex_);
    if (status.ok()) written_->size = size;
    written_->synced = std::min(written_->synced, size);
    return status;
  }

  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = system_->Count();
    if (!status.ok()) return status;
    // Without the appends that come meanwhile.
    std::unique_lock<std::mutex> lock(system_->mutex_);
    const uint64_t size = written_->size;
    lock.unlock();
    // The file system below need not wait for a disk.
    status = FSWritableFileOwnerWrapper::Flush(options, debug);
    lock.lock();
    if (status.ok()) written_->synced = std::max(written_->synced, size);
    return status;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }

 private:
  FaultFileSystem* const system_;
  const WrittenPtr written_;
};

class FaultFileSystem::Reader final
    : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  Reader(std::unique_ptr<rocksdb::FSRandomAccessFile> file,
         FaultFileSystem* system)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), system_(system) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* debug) const override {
    IOStatus status = system_->CountRead();
    if (!status.ok()) return status;
    return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                scratch, debug);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t n,
                     const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = system_->CountRead();
    if (!status.ok()) return status;
    return FSRandomAccessFileOwnerWrapper::MultiRead(requests, n, options,
                                                     debug);
  }

 private:
  FaultFileSystem* const system_;
};

class FaultFileSystem::Folder final : public rocksdb::FSDirectory {
 public:
  Folder(std::unique_ptr<rocksdb::FSDirectory> folder, FaultFileSystem* system,
         const std::string& path)
      : folder_(std::move(folder)), system_(system), path_(path) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    IOStatus status = system_->Count();
    const std::lock_guard<std::mutex> lock(system_->mutex_);
    if (status.ok()) system_->unsynced_.erase(FolderOf(path_ + "/file"));
    return status;
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return folder_->Close(options, debug);
  }

 private:
  const std::unique_ptr<rocksdb::FSDirectory> folder_;
  FaultFileSystem* const system_;
  const std::string path_;
};

FaultFileSystem::FaultFileSystem(uint64_t seed)
    : FileSystemWrapper(FileSystem::Default()), random_(seed) {}

FaultFileSystem::~FaultFileSystem() = default;

uint64_t FaultFileSystem::operations() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return operations_;
}

void FaultFileSystem::FailAt(uint64_t more, Fault fault) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fail_at_ = operations_ + more;
  fault_ = fault;
  failed_ = false;
}

bool FaultFileSystem::failed() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failed_;
}

bool FaultFileSystem::power_is_lost() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failed_ && fault_ == Fault::kPower;
}

uint64_t FaultFileSystem::reads() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reads_;
}

void FaultFileSystem::FailReadAt(uint64_t more) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fail_read_at_ = reads_ + more;
  failed_ = false;
}

void FaultFileSystem::Repair() {
  const std::lock_guard<std::mutex> lock(mutex_);
  fail_at_ = fail_read_at_ = std::numeric_limits<uint64_t>::max();
  failed_ = false;
}

IOStatus FaultFileSystem::CountRead() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (reads_++ != fail_read_at_) return IOStatus::OK();
  failed_ = true;
  return IOStatus::IOError("planted fault of a read");
}

IOStatus FaultFileSystem::Count() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t now = operations_++;
  if (now < fail_at_) return IOStatus::OK();
  if (now > fail_at_ && fault_ == Fault::kOnce) return IOStatus::OK();
  failed_ = true;
  return IOStatus::IOError("planted fault at operation", std::to_string(now));
}

void FaultFileSystem::LosePower() {
  namespace fs = std::filesystem;
  Repair();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [path, written] : files_) {
    if (!fs::exists(path) || written->size == written->synced) continue;
    written->size =
        written->synced + random_() % (written->size - written->synced + 1);
    written->synced = written->size;
    fs::resize_file(path, written->size);
  }
  for (auto& [folder, names] : unsynced_) {
    size_t lost = random_() % (names.size() + 1);
    for (; lost > 0; --lost, names.pop_back()) {
      const NewName& name = names.back();
      if (name.from.empty()) {
        fs::remove(name.path);
        files_.erase(name.path);
      } else if (fs::exists(name.path)) {
        fs::rename(name.path, name.from);
        files_[name.from] = std::exchange(files_[name.path], nullptr);
        files_.erase(name.path);
      }
      if (name.replaced) {
        std::ofstream(name.path, std::ios::binary) << name.old_contents;
      }
    }
  }
  unsynced_.clear();
}

FaultFileSystem::NewName FaultFileSystem::Describe(const std::string& path,
                                                   const std::string& from) {
  NewName name;
  name.path = Normal(path);
  if (!from.empty()) name.from = Normal(from);
  name.replaced = std::filesystem::exists(name.path);
  if (name.replaced) name.old_contents = Contents(name.path);
  return name;
}

void FaultFileSystem::Note(NewName name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  unsynced_[FolderOf(name.path)].push_back(std::move(name));
}

IOStatus FaultFileSystem::Wrap(const IOStatus& opened, const std::string& path,
                               bool empty,
                               std::unique_ptr<rocksdb::FSWritableFile>* file) {
  if (!opened.ok()) return opened;
  const std::lock_guard<std::mutex> lock(mutex_);
  WrittenPtr& written = files_[Normal(path)];
  if (written == nullptr || empty) {
    written = std::make_shared<Written>();
    // What was there before counts as synced.
    if (!empty) {
      written->size = written->synced = std::filesystem::file_size(path);
    }
  }
  *file = std::make_unique<File>(std::move(*file), this, written);
  return opened;
}

IOStatus FaultFileSystem::NewWritableFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) {
  IOStatus status = Count();
  if (!status.ok()) return status;
  NewName name = Describe(path, "");
  status = FileSystemWrapper::NewWritableFile(path, options, file, debug);
  if (status.ok()) Note(std::move(name));
  return Wrap(status, path, /*empty=*/true, file);
}

IOStatus FaultFileSystem::ReopenWritableFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) {
  IOStatus status = Count();
  if (!status.ok()) return status;
  NewName name = Describe(path, "");
  status = FileSystemWrapper::ReopenWritableFile(path, options, file, debug);
  if (status.ok() && !name.replaced) Note(std::move(name));
  return Wrap(status, path, /*empty=*/false, file);
}

IOStatus FaultFileSystem::NewRandomAccessFile(
    const std::string& path, const FileOptions& options,
    std::unique_ptr<rocksdb::FSRandomAccessFile>* file, IODebugContext* debug) {
  IOStatus status =
      FileSystemWrapper::NewRandomAccessFile(path, options, file, debug);
  if (status.ok()) *file = std::make_unique<Reader>(std::move(*file), this);
  return status;
}

IOStatus FaultFileSystem::NewDirectory(
    const std::string& path, const IOOptions& options,
    std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* debug) {
  const IOStatus status =
      FileSystemWrapper::NewDirectory(path, options, folder, debug);
  if (status.ok()) {
    *folder = std::make_unique<Folder>(std::move(*folder), this, path);
  }
  return status;
}

IOStatus FaultFileSystem::DeleteFile(const std::string& path,
                                     const IOOptions& options,
                                     IODebugContext* debug) {
  IOStatus status = Count();
  if (!status.ok()) return status;
  status = FileSystemWrapper::DeleteFile(path, options, debug);
  if (!status.ok()) return status;
  const std::lock_guard<std::mutex> lock(mutex_);
  files_.erase(Normal(path));
  std::vector<NewName>& names = unsynced_[FolderOf(path)];
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const NewName& name) {
                               return name.path == Normal(path);
                             }),
              names.end());
  return status;
}

IOStatus FaultFileSystem::RenameFile(const std::string& from,
                                     const std::string& to,
                                     const IOOptions& options,
                                     IODebugContext* debug) {
  IOStatus status = Count();
  if (!status.ok()) return status;
  NewName name = Describe(to, from);
  status = FileSystemWrapper::RenameFile(from, to, options, debug);
  if (!status.ok()) return status;
  Note(std::move(name));
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto moved = files_.find(Normal(from));
  if (moved == files_.end()) {
    files_.erase(Normal(to));
  } else {
    files_[Normal(to)] = moved->second;
    files_.erase(moved);
  }
  return status;
}

IOStatus FaultFileSystem::LinkFile(const std::string& from,
                                   const std::string& to,
                                   const IOOptions& options,
                                   IODebugContext* debug) {
  IOStatus status = Count();
  if (!status.ok()) return status;
  NewName name = Describe(to, "");
  status = FileSystemWrapper::LinkFile(from, to, options, debug);
  if (!status.ok()) return status;
  Note(std::move(name));
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto linked = files_.find(Normal(from));
  if (linked != files_.end()) files_[Normal(to)] = linked->second;
  return status;
}

}  // namespace oneline
