#include "tools/refilter/guards.h"

#include <rocksdb/version.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace oneline {
namespace {

// The versions whose MANIFESTs and tables the tests have seen, apart from those
// that are newer than the library of this program.
constexpr int kOldest = 708, kNewest = 1108;

}  // namespace

absl::Status CheckVersion(const OptionsFile& options) {
  const std::string text =
      options.Get("Version", "", "rocksdb_version").value_or("");
  const std::vector<std::string> parts = absl::StrSplit(text, '.');
  int major = 0, minor = 0;
  const bool is_version = parts.size() >= 2 &&
                          absl::SimpleAtoi(parts[0], &major) &&
                          absl::SimpleAtoi(parts[1], &minor);
  const int version = 100 * major + minor;
  const int library = 100 * ROCKSDB_MAJOR + ROCKSDB_MINOR;
  if (is_version && version >= kOldest &&
      version <= std::min(kNewest, library)) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      "the database was last opened by RocksDB '", text,
      "', by its OPTIONS file; this program knows 7.8 to ",
      std::min(kNewest, library) / 100, ".", std::min(kNewest, library) % 100));
}

absl::Status CheckOwner(const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) {
    return absl::ErrnoToStatus(errno, "can't be examined");
  }
  if (file.st_uid == geteuid()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "belongs to user ", file.st_uid, ", and new files would belong to user ",
      geteuid(), "; run this as that user, with sudo -u '#", file.st_uid, "'"));
}

TableDirectories::TableDirectories(const std::string& database,
                                   std::vector<std::string> others)
    : all_(std::move(others)) {
  all_.push_back(database);
}

absl::Status TableDirectories::Check(const std::string& path,
                                     const TableEntry& entry) {
  const std::filesystem::path file(path);
  for (const std::string& directory : all_) {
    const auto other = directory / file.filename();
    std::error_code ignored;
    if (std::filesystem::exists(other, ignored) &&
        !std::filesystem::equivalent(directory, file.parent_path(), ignored)) {
      return absl::FailedPreconditionError(
          absl::StrCat("there is another file of this name: ", other.string()));
    }
  }
  const std::string number = entry.Field(kPathIdField).value_or("");
  const std::string here = file.parent_path().string();
  const std::string& known = by_number_.emplace(number, here).first->second;
  const std::string& same = by_directory_.emplace(here, number).first->second;
  if (known == here && same == number) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("by the MANIFEST it is ", known == here ? "not " : "",
                   "in the same directory as tables in ", known,
                   "; name all directories with --db_paths"));
}

}  // namespace oneline
