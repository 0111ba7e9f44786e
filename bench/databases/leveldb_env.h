// LevelDB's Env with what a comparison needs: it counts reads, which can bypass
// the kernel's page cache, and can wait for background work and defer it.

#ifndef ONELINE_BENCH_DATABASES_LEVELDB_ENV_H_
#define ONELINE_BENCH_DATABASES_LEVELDB_ENV_H_

#include <leveldb/env.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace oneline {

// Thread-safe.
class LevelDBEnv final : public leveldb::EnvWrapper {
 public:
  LevelDBEnv() : EnvWrapper(leveldb::Env::Default()) {}
  // The thread that did the last work of a database may still be returning from
  // it after the database was closed.
  ~LevelDBEnv() override { WaitUntilIdle(); }

  // Applies to files opened from now on.
  void set_direct_reads(bool direct) { direct_reads_ = direct; }

  // The number of reads from tables since the last call.
  uint64_t TakeReads() { return reads_.exchange(0); }

  // Waits until no background work runs or is scheduled.
  void WaitUntilIdle();

  // Background work scheduled between these two calls runs only after the
  // second. LevelDB compacts tables that many lookups search without success,
  // which would change the tree during a measurement.
  void HoldBackgroundWork();
  void ReleaseBackgroundWork();

  leveldb::Status NewRandomAccessFile(
      const std::string& name, leveldb::RandomAccessFile** file) override;
  void Schedule(void (*function)(void*), void* argument) override;

 private:
  struct Job {
    LevelDBEnv* env;
    void (*function)(void*);
    void* argument;
  };

  static void Run(void* job);
  void Start(const Job& job);

  std::atomic<bool> direct_reads_{false};
  std::atomic<uint64_t> reads_{0};
  std::mutex mutex_;
  std::condition_variable idle_;
  int running_ = 0;
  bool hold_ = false;
  std::vector<Job> held_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_LEVELDB_ENV_H_
