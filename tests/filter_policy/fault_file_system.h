// A file system that loses power: what was not synced is gone, and the n-th
// write, sync, rename or read fails, or the disk is full from then on. For
// tests that a crash loses nothing.

#ifndef ONELINE_TESTS_FILTER_POLICY_FAULT_FILE_SYSTEM_H_
#define ONELINE_TESTS_FILTER_POLICY_FAULT_FILE_SYSTEM_H_

#include <rocksdb/file_system.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

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
 public:
  enum class Fault {
    kOnce,   // that operation alone: a program may go on
    kPower,  // and all after it, until LosePower
  };

  // How much of the unsynced is left follows from the seed.
  explicit FaultFileSystem(uint64_t seed);
  ~FaultFileSystem() override;

  const char* Name() const override { return "FaultFileSystem"; }

  // How many operations have changed files or folders: each write, truncation,
  // sync, creation, deletion, link and rename. Of programs with more than one
  // thread the number may differ from run to run.
  uint64_t operations() const;

  // The operation after `more` further ones fails with an IOError.
  void FailAt(uint64_t more, Fault fault);
  // Whether it has come.
  bool failed() const;

  // The same for reads of files that are opened for random access. One read
  // fails.
  uint64_t reads() const;
  void FailReadAt(uint64_t more);

  // Takes back what FailAt and FailReadAt asked for.
  void Repair();

  // Cuts each file to a random length between what was synced and what was
  // written, and takes back a random number of the last creations, links and
  // renames in each folder since it was synced, as file systems with journals
  // do. (If any others could be lost, RocksDB's own opening would lose its
  // MANIFEST. Deletions stay: a file that comes back is the smaller evil.) Then
  // all works again.
  // REQUIRES: no file is open for writing, and log files are not recycled.
  void LosePower();

  rocksdb::IOStatus NewWritableFile(
      const std::string& path, const rocksdb::FileOptions& options,
      std::unique_ptr<rocksdb::FSWritableFile>* file,
      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(
      const std::string& path, const rocksdb::FileOptions& options,
      std::unique_ptr<rocksdb::FSWritableFile>* file,
      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(
      const std::string& path, const rocksdb::FileOptions& options,
      std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path,
                                 const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* folder,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;

 private:
  class File;
  class Reader;
  class Folder;

  // Bytes of a file. Names that are linked share it.
  struct Written {
    uint64_t size = 0;
    uint64_t synced = 0;
  };
  using WrittenPtr = std::shared_ptr<Written>;

  // A new name in a folder, and what undoes it.
  struct NewName {
    std::string path;
    std::string from;  // where it was before a rename; empty for new names
    bool replaced = false;
    std::string old_contents;  // of the file that it replaced
  };

  // Counts an operation; an error if it is to fail.
  rocksdb::IOStatus Count();
  rocksdb::IOStatus CountRead();
  bool power_is_lost() const;
  // To be called before `path` becomes a new name, and after that.
  static NewName Describe(const std::string& path, const std::string& from);
  void Note(NewName name);
  rocksdb::IOStatus Wrap(const rocksdb::IOStatus& opened,
                         const std::string& path, bool empty,
                         std::unique_ptr<rocksdb::FSWritableFile>* file);

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  uint64_t operations_ = 0;
  uint64_t fail_at_ = std::numeric_limits<uint64_t>::max();
  Fault fault_ = Fault::kOnce;
  uint64_t reads_ = 0;
  uint64_t fail_read_at_ = std::numeric_limits<uint64_t>::max();
  bool failed_ = false;
  std::map<std::string, WrittenPtr> files_;               // by path
  std::map<std::string, std::vector<NewName>> unsynced_;  // by folder
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_FAULT_FILE_SYSTEM_H_
