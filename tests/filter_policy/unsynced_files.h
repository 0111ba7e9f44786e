// What a disk may not have yet: the bytes and names that were not synced. And
// when the next fault is due.

#ifndef ONELINE_TESTS_FILTER_POLICY_UNSYNCED_FILES_H_
#define ONELINE_TESTS_FILTER_POLICY_UNSYNCED_FILES_H_

#include <rocksdb/io_status.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace oneline {

enum class Fault {
  kOnce,   // one operation alone: a program may go on
  kPower,  // and all after it, until LosePower
};

// Operations or reads, of which one is to fail.
struct Faults {
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
  uint64_t count = 0;
  uint64_t fail_at = kNever;
  Fault fault = Fault::kOnce;
  bool failed = false;

  bool Next() {
    const uint64_t now = count++;
    if (now < fail_at || (now > fail_at && fault == Fault::kOnce)) return true;
    failed = true;
    return false;
  }
};

// Bytes of a file. Names that are linked share it.
struct WrittenBytes {
  uint64_t size = 0;
  uint64_t synced = 0;
};
using WrittenPtr = std::shared_ptr<WrittenBytes>;

// A new name in a folder, and what undoes it.
struct NewName {
  std::string path;
  std::string from;  // where it was before a rename; empty for new names
  bool replaced = false;
  std::string old_contents;  // of the file that it replaced
};

// Thread-safe, except LosePower.
class UnsyncedFiles {
 public:
  using Lock = std::lock_guard<std::mutex>;

  explicit UnsyncedFiles(uint64_t seed) : random_(seed) {}

  static std::string Normal(const std::string& path) {
    return std::filesystem::path(path).lexically_normal();
  }

  // To be called before `path` becomes a new name, and Note after that.
  static NewName Describe(const std::string& path,
                          const std::string& from = "") {
    NewName name;
    name.path = Normal(path);
    if (!from.empty()) name.from = Normal(from);
    name.replaced = std::filesystem::exists(name.path);
    std::ifstream in(name.path, std::ios::binary);
    if (name.replaced) name.old_contents = {std::istreambuf_iterator(in), {}};
    return name;
  }
  void Note(NewName name) {
    const Lock lock(mutex);
    unsynced_[FolderOf(name.path)].push_back(std::move(name));
  }

  // The bytes of a file that is opened. What was there before is synced.
  WrittenPtr Opened(const std::string& path, bool empty) {
    const Lock lock(mutex);
    WrittenPtr& written = files_[Normal(path)];
    if (written == nullptr || empty) {
      written = std::make_shared<WrittenBytes>();
      if (!empty) {
        written->size = written->synced = std::filesystem::file_size(path);
      }
    }
    return written;
  }
  void Renamed(const std::string& from, const std::string& to, bool stays) {
    const Lock lock(mutex);
    const auto moved = files_.find(Normal(from));
    if (moved != files_.end()) {
      files_[Normal(to)] = moved->second;
      if (!stays) files_.erase(moved);
    } else if (!stays) {
      files_.erase(Normal(to));
    }
  }
  void Deleted(const std::string& path) {
    const Lock lock(mutex);
    files_.erase(Normal(path));
    std::vector<NewName>& names = unsynced_[FolderOf(Normal(path))];
    const auto is_it = [&](const NewName& n) { return n.path == Normal(path); };
    names.erase(std::remove_if(names.begin(), names.end(), is_it), names.end());
  }
  void SyncedFolder(const std::string& path) {
    const Lock lock(mutex);
    unsynced_.erase(FolderOf(Normal(path + "/file")));
  }

  // See FaultFileSystem.
  void LosePower() {
    namespace fs = std::filesystem;
    const Lock lock(mutex);
    for (auto& [path, written] : files_) {
      if (!fs::exists(path) || written->size == written->synced) continue;
      written->size =
          written->synced + random_() % (written->size - written->synced + 1);
      written->synced = written->size;
      fs::resize_file(path, written->size);
    }
    for (auto& [folder, names] : unsynced_) {
      size_t lost = random_() % (names.size() + 1);
      for (; lost > 0; --lost, names.pop_back()) TakeBack(names.back());
    }
    unsynced_.clear();
  }

  // Guards also the faults, and the WrittenBytes.
  mutable std::mutex mutex;
  Faults operations, reads;

 private:
  static std::string FolderOf(const std::string& path) {
    return std::filesystem::path(path).parent_path();
  }

  void TakeBack(const NewName& name) {
    namespace fs = std::filesystem;
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

  std::mt19937_64 random_;
  std::map<std::string, WrittenPtr> files_;               // by path
  std::map<std::string, std::vector<NewName>> unsynced_;  // by folder
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_UNSYNCED_FILES_H_
