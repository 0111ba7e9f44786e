// The file system as LevelDB sees it, with what a comparison needs: reads are
// counted and can go past the kernel's page cache, and background work can be
// waited for and held back.

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
  // A database may be gone while the thread that did its last work is not yet
  // back from it.
  ~LevelDBEnv() override { WaitUntilIdle(); }

  // For files opened from now on.
  void set_direct_reads(bool direct) { direct_reads_ = direct; }

  // Reads from tables since the last call.
  uint64_t TakeReads() { return reads_.exchange(0); }

  // Returns once no compaction runs or is about to.
  void WaitUntilIdle();

  // Compactions asked for between the two calls run only after the second.
  // (LevelDB compacts tables that lookups often pass through in vain, which
  // would change the tree while it is measured.)
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
