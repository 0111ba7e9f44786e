#include "bench/databases/leveldb_env.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace oneline {
namespace {

// The offset, the length and the memory of direct reads must be multiples of
// this. No current disk needs more.
constexpr uint64_t kAlignment = 4096;

struct Free {
  void operator()(char* p) const { std::free(p); }
};
using AlignedBytes = std::unique_ptr<char, Free>;

leveldb::Status SystemError(const std::string& name) {
  return leveldb::Status::IOError(name, strerror(errno));
}

class CountedFile final : public leveldb::RandomAccessFile {
 public:
  CountedFile(std::string name, int fd, bool direct,
              std::atomic<uint64_t>* reads)
      : name_(std::move(name)), fd_(fd), direct_(direct), reads_(reads) {}
  ~CountedFile() override { close(fd_); }

  leveldb::Status Read(uint64_t offset, size_t n, leveldb::Slice* result,
                       char* scratch) const override {
    reads_->fetch_add(1, std::memory_order_relaxed);
    return direct_ ? ReadAligned(offset, n, result, scratch)
                   : ReadPlain(offset, n, result, scratch);
  }

 private:
  leveldb::Status ReadPlain(uint64_t offset, size_t n, leveldb::Slice* result,
                            char* scratch) const {
    const ssize_t got = pread(fd_, scratch, n, static_cast<off_t>(offset));
    *result = leveldb::Slice(scratch, got < 0 ? 0 : static_cast<size_t>(got));
    return got < 0 ? SystemError(name_) : leveldb::Status::OK();
  }

  leveldb::Status ReadAligned(uint64_t offset, size_t n, leveldb::Slice* result,
                              char* scratch) const {
    const uint64_t begin = offset / kAlignment * kAlignment;
    const uint64_t end =
        (offset + n + kAlignment - 1) / kAlignment * kAlignment;
    const size_t room = static_cast<size_t>(end - begin);
    const AlignedBytes bytes(
        static_cast<char*>(std::aligned_alloc(kAlignment, room)));
    const ssize_t got =
        pread(fd_, bytes.get(), room, static_cast<off_t>(begin));
    *result = leveldb::Slice(scratch, 0);
    if (got < 0) return SystemError(name_);
    const auto before = static_cast<size_t>(offset - begin);
    const auto read = static_cast<size_t>(got);
    const size_t useful = read <= before ? 0 : std::min(n, read - before);
    std::memcpy(scratch, bytes.get() + before, useful);
    *result = leveldb::Slice(scratch, useful);
    return leveldb::Status::OK();
  }

  const std::string name_;
  const int fd_;
  const bool direct_;
  std::atomic<uint64_t>* const reads_;
};

}  // namespace

leveldb::Status LevelDBEnv::NewRandomAccessFile(
    const std::string& name, leveldb::RandomAccessFile** file) {
  const bool direct = direct_reads_;
  const int fd =
      open(name.c_str(), O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
  *file = nullptr;
  if (fd < 0) return SystemError(name);
  *file = new CountedFile(name, fd, direct, &reads_);
  return leveldb::Status::OK();
}

void LevelDBEnv::Schedule(void (*function)(void*), void* argument) {
  const Job job = {this, function, argument};
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (hold_) {
      held_.push_back(job);
      return;
    }
    ++running_;
  }
  Start(job);
}

void LevelDBEnv::Start(const Job& job) {
  target()->Schedule(&Run, new Job(job));
}

void LevelDBEnv::Run(void* argument) {
  const std::unique_ptr<Job> job(static_cast<Job*>(argument));
  job->function(job->argument);
  std::lock_guard<std::mutex> lock(job->env->mutex_);
  if (--job->env->running_ == 0) job->env->idle_.notify_all();
}

void LevelDBEnv::WaitUntilIdle() {
  std::unique_lock<std::mutex> lock(mutex_);
  idle_.wait(lock, [this] { return running_ == 0; });
}

void LevelDBEnv::HoldBackgroundWork() {
  std::lock_guard<std::mutex> lock(mutex_);
  hold_ = true;
}

void LevelDBEnv::ReleaseBackgroundWork() {
  std::vector<Job> jobs;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    hold_ = false;
    jobs.swap(held_);
    running_ += static_cast<int>(jobs.size());
  }
  for (const Job& job : jobs) Start(job);
}

}  // namespace oneline
