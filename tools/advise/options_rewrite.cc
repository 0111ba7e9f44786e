#include "tools/advise/options_rewrite.h"

#include <fcntl.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/database/configured_policy.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

absl::Status SystemError(const std::string& path, const char* what) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": ", what, ": ", std::strerror(errno)));
}

// Deletes a file when it goes out of scope, unless Keep was called.
class ScopedFile {
 public:
  explicit ScopedFile(std::string path) : path_(std::move(path)) {}
  ~ScopedFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  ScopedFile(const ScopedFile&) = delete;
  ScopedFile& operator=(const ScopedFile&) = delete;

  const std::string& path() const { return path_; }
  void Keep() { path_.clear(); }

 private:
  std::string path_;
};

absl::Status WriteAll(int file, const std::string& path,
                      const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError(path, "can't be written");
    done += static_cast<size_t>(n);
  }
  if (fsync(file) != 0) return SystemError(path, "can't be written to disk");
  return absl::OkStatus();
}

// Creates a file with the owner and permissions `like` another. `path` is a
// pattern for mkstemp, and becomes the file's name.
absl::Status WriteNewFile(const std::string& text, const struct stat& like,
                          std::string* path) {
  const int file = mkstemp(path->data());
  if (file < 0) return SystemError(*path, "can't be created");
  // Without the right to change the owner, the file stays ours.
  if (fchown(file, like.st_uid, like.st_gid) != 0) errno = 0;
  absl::Status status = fchmod(file, like.st_mode & 07777) == 0
                            ? WriteAll(file, *path, text)
                            : SystemError(*path, "permissions can't be set");
  if (close(file) != 0 && status.ok()) {
    status = SystemError(*path, "can't be written");
  }
  if (!status.ok()) unlink(path->c_str());
  return status;
}

absl::Status SyncDirectory(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return SystemError(path, "can't be opened");
  const bool synced = fsync(directory) == 0;
  close(directory);
  return synced ? absl::OkStatus() : SystemError(path, "can't be synced");
}

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

absl::StatusOr<Families> LoadStrictly(const std::string& path) {
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = false;
  config.ignore_unsupported_options = false;
  rocksdb::DBOptions options;
  Families families;
  const rocksdb::Status status =
      rocksdb::LoadOptionsFromFile(config, path, &options, &families);
  if (status.ok()) return families;
  return absl::FailedPreconditionError(status.ToString());
}

// Whether column family `name` of `families` has the policy `wanted`.
bool HasPolicy(const Families& families, const std::string& name,
               const FilterOptions& wanted) {
  for (const rocksdb::ColumnFamilyDescriptor& family : families) {
    if (family.name != name || family.options.table_factory == nullptr) {
      continue;
    }
    const auto* const table =
        family.options.table_factory
            ->GetOptions<rocksdb::BlockBasedTableOptions>();
    if (table == nullptr || table->filter_policy == nullptr) return false;
    const std::optional<FilterOptions> loaded =
        OptionsOf(*table->filter_policy);
    return loaded.has_value() && PolicyText(*loaded) == PolicyText(wanted) &&
           table->filter_policy
               ->ValidateOptions(rocksdb::DBOptions(), family.options)
               .ok();
  }
  return false;
}

absl::Status CheckResult(const std::string& path, const std::string& result,
                         const std::map<std::string, FilterOptions>& policies) {
  const absl::StatusOr<Families> before = LoadStrictly(path);
  if (!before.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": RocksDB can't load the file as it is: ",
                     before.status().message(), "; edit it by hand"));
  }
  const absl::StatusOr<Families> after = LoadStrictly(result);
  if (!after.ok()) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        ": RocksDB can't load the changed file: ", after.status().message()));
  }
  for (const auto& [family, wanted] : policies) {
    if (HasPolicy(*after, family, wanted)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": RocksDB loads the changed file with another policy than ",
        PolicyText(wanted), " for column family ", family));
  }
  return absl::OkStatus();
}

std::string TimeNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &utc);
  return text;
}

// Makes a hard link to the file, which keeps its contents when another file is
// renamed to its name. Returns the path of the link.
absl::StatusOr<std::string> Backup(const std::filesystem::path& file) {
  const std::string begin = absl::StrCat("before-", TimeNow());
  for (int i = 1; i < 100; ++i) {
    const std::string name =
        absl::StrCat(begin, i == 1 ? "" : absl::StrCat("-", i), "-",
                     file.filename().string());
    const std::string path = (file.parent_path() / name).string();
    if (link(file.c_str(), path.c_str()) == 0) return path;
    if (errno != EEXIST) return SystemError(path, "can't be created");
  }
  return SystemError(file.string(), "its backup can't be created");
}

}  // namespace

absl::StatusOr<std::string> RewriteOptionsFile(
    const std::string& path,
    const std::map<std::string, FilterOptions>& policies) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  struct stat status = {};
  if (error || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return absl::NotFoundError(absl::StrCat(path, ": is not an OPTIONS file"));
  }
  absl::StatusOr<OptionsFile> options = OptionsFile::Load(file.string());
  if (!options.ok()) return options.status();
  const std::string before = options->text();
  for (const auto& [family, policy] : policies) {
    const absl::Status set = options->Set(kTableSection, family,
                                          "filter_policy", PolicyText(policy));
    if (!set.ok()) {
      return absl::NotFoundError(absl::StrCat(path, ": ", set.message()));
    }
  }
  if (options->text() == before) return "";

  std::string result = (file.parent_path() / ".oneline-XXXXXX").string();
  const absl::Status written = WriteNewFile(options->text(), status, &result);
  if (!written.ok()) return written;
  ScopedFile new_file(result);
  const absl::Status checked = CheckResult(file.string(), result, policies);
  if (!checked.ok()) return checked;
  absl::StatusOr<std::string> backup = Backup(file);
  if (!backup.ok()) return backup.status();
  ScopedFile backup_file(*backup);
  if (std::rename(result.c_str(), file.c_str()) != 0) {
    return SystemError(path, "can't be replaced");
  }
  new_file.Keep();
  backup_file.Keep();
  const absl::Status synced = SyncDirectory(file.parent_path().string());
  if (!synced.ok()) return synced;
  return backup;
}

}  // namespace oneline
