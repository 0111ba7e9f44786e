#include "tools/rewrite/disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

const rocksdb::IOOptions kOptions;
constexpr uint64_t kReadBytes = 1 << 20;
// Whole blocks of every file system, so that they can be shared.
constexpr uint64_t kRangeBytes = 64 << 20;

ssize_t CopyFileRange(int from, int to, size_t bytes) {
  return copy_file_range(from, nullptr, to, nullptr, bytes, 0);
}

// An open file of the system's.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : fd_(open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

 private:
  const int fd_;
};

absl::Status StatusOf(const std::string& path, const rocksdb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const std::string text = status.ToString();
  const std::string message =
      absl::StrContains(text, path) ? text : absl::StrCat(path, ": ", text);
  return status.IsPathNotFound() || status.IsNotFound()
             ? absl::NotFoundError(message)
             : absl::UnavailableError(message);
}

}  // namespace

absl::Status Disk::Output::Append(std::string_view bytes) {
  return StatusOf(
      path_, file_->Append({bytes.data(), bytes.size()}, kOptions, nullptr));
}

absl::Status Disk::Output::SyncAndClose() {
  const rocksdb::IOStatus synced = file_->Sync(kOptions, nullptr);
  const rocksdb::IOStatus closed = file_->Close(kOptions, nullptr);
  return StatusOf(path_, synced.ok() ? closed : synced);
}

absl::StatusOr<std::string> Disk::Input::Read(uint64_t offset,
                                              uint64_t n) const {
  if (offset > bytes_ || n > bytes_ - offset) {
    return absl::DataLossError(
        absl::StrCat(path_, ": has no ", n, " bytes at byte ", offset));
  }
  if (n == 0) return std::string();  // which the system takes for an error
  std::string bytes(n, '\0');
  rocksdb::Slice read;
  const rocksdb::IOStatus status =
      file_->Read(offset, n, kOptions, &read, bytes.data(), nullptr);
  if (!status.ok()) return StatusOf(path_, status);
  if (read.size() != n) {
    return absl::DataLossError(absl::StrCat(path_, ": ends too early"));
  }
  if (read.data() != bytes.data()) bytes.assign(read.data(), n);
  return bytes;
}

Disk::Disk(std::shared_ptr<rocksdb::FileSystem> files, CopyRange copy_range)
    : files_(std::move(files)),
      copy_range_(copy_range == nullptr ? &CopyFileRange : copy_range) {}

absl::StatusOr<Disk::Output> Disk::Create(const std::string& path) const {
  Output output;
  output.path_ = path;
  const rocksdb::IOStatus status = files_->NewWritableFile(
      path, rocksdb::FileOptions(), &output.file_, nullptr);
  if (!status.ok()) return StatusOf(path, status);
  return output;
}

// How much of the file the system copied to the empty file at `path`. Where it
// can't, and why does not matter, reads and writes follow, whose errors count.
absl::StatusOr<uint64_t> Disk::CopyInSystem(
    const std::string& path, const Input& from, uint64_t bytes,
    const std::function<absl::Status()>& may_go_on) const {
  const Descriptor in(from.path_, O_RDONLY), out(path, O_WRONLY);
  if (in.get() < 0 || out.get() < 0) return uint64_t{0};
  uint64_t copied = 0;
  while (copied < bytes) {
    const absl::Status going_on = may_go_on();
    if (!going_on.ok()) return going_on;
    const ssize_t n =
        copy_range_(in.get(), out.get(), std::min(kRangeBytes, bytes - copied));
    if (n <= 0) break;
    copied += static_cast<uint64_t>(n);
  }
  // What a call that failed may have written.
  if (ftruncate(out.get(), static_cast<off_t>(copied)) == 0) return copied;
  return absl::UnavailableError(absl::StrCat(path, ": can't be truncated"));
}

absl::StatusOr<Disk::Output> Disk::CreateCopy(
    const std::string& path, const Input& from, uint64_t bytes,
    const std::function<absl::Status()>& may_go_on) const {
  absl::StatusOr<Output> output = Create(path);
  if (!output.ok()) return output;
  rocksdb::IOStatus status = output->file_->Close(kOptions, nullptr);
  if (!status.ok()) return StatusOf(path, status);
  const absl::StatusOr<uint64_t> copied =
      CopyInSystem(path, from, bytes, may_go_on);
  if (!copied.ok()) return copied.status();
  // The interface has no copying; what it appends comes behind the copy.
  status = files_->ReopenWritableFile(path, rocksdb::FileOptions(),
                                      &output->file_, nullptr);
  if (!status.ok()) return StatusOf(path, status);
  for (uint64_t at = *copied; at < bytes;) {
    absl::Status done = may_go_on();
    const uint64_t n = std::min(kReadBytes, bytes - at);
    const absl::StatusOr<std::string> read =
        done.ok() ? from.Read(at, n) : absl::StatusOr<std::string>(done);
    done = read.ok() ? output->Append(*read) : read.status();
    if (!done.ok()) return done;
    at += n;
  }
  return output;
}

absl::StatusOr<Disk::Input> Disk::Open(const std::string& path) const {
  Input input;
  input.path_ = path;
  rocksdb::IOStatus status = files_->NewRandomAccessFile(
      path, rocksdb::FileOptions(), &input.file_, nullptr);
  if (status.ok()) {
    status = files_->GetFileSize(path, kOptions, &input.bytes_, nullptr);
  }
  if (!status.ok()) return StatusOf(path, status);
  return input;
}

absl::StatusOr<std::string> Disk::ReadAll(const std::string& path) const {
  const absl::StatusOr<Input> file = Open(path);
  if (!file.ok()) return file.status();
  return file->Read(0, file->bytes());
}

absl::Status Disk::WriteAll(const std::string& path,
                            std::string_view bytes) const {
  absl::StatusOr<Output> file = Create(path);
  if (!file.ok()) return file.status();
  const absl::Status written = file->Append(bytes);
  const absl::Status synced = file->SyncAndClose();
  return written.ok() ? synced : written;
}

absl::Status Disk::SyncDirectory(const std::string& path) const {
  std::unique_ptr<rocksdb::FSDirectory> directory;
  rocksdb::IOStatus status =
      files_->NewDirectory(path, kOptions, &directory, nullptr);
  if (status.ok()) {
    status = directory->FsyncWithDirOptions(kOptions, nullptr,
                                            rocksdb::DirFsyncOptions());
  }
  return StatusOf(path, status);
}

absl::Status Disk::Rename(const std::string& from,
                          const std::string& to) const {
  return StatusOf(to, files_->RenameFile(from, to, kOptions, nullptr));
}

absl::Status Disk::Delete(const std::string& path) const {
  return StatusOf(path, files_->DeleteFile(path, kOptions, nullptr));
}

absl::Status Disk::Link(const std::string& from, const std::string& to) const {
  return StatusOf(to, files_->LinkFile(from, to, kOptions, nullptr));
}

absl::Status Disk::CreateDirectory(const std::string& path) const {
  return StatusOf(path, files_->CreateDir(path, kOptions, nullptr));
}

absl::Status Disk::DeleteDirectory(const std::string& path) const {
  return StatusOf(path, files_->DeleteDir(path, kOptions, nullptr));
}

absl::StatusOr<std::vector<std::string>> Disk::List(
    const std::string& path) const {
  std::vector<std::string> names;
  const rocksdb::IOStatus status =
      files_->GetChildren(path, kOptions, &names, nullptr);
  if (!status.ok()) return StatusOf(path, status);
  return names;
}

absl::StatusOr<uint64_t> Disk::FreeBytes(const std::string& path) const {
  uint64_t bytes = 0;
  const rocksdb::IOStatus status =
      files_->GetFreeSpace(path, kOptions, &bytes, nullptr);
  if (!status.ok()) return StatusOf(path, status);
  return bytes;
}

absl::StatusOr<Disk::Lock> Disk::TakeLock(const std::string& path) const {
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::IOStatus status =
      files_->LockFile(path, kOptions, &lock, nullptr);
  if (!status.ok()) return StatusOf(path, status);
  return Lock(lock, [files = files_](rocksdb::FileLock* held) {
    files->UnlockFile(held, kOptions, nullptr).PermitUncheckedError();
  });
}

}  // namespace oneline
