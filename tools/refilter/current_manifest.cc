#include "tools/refilter/current_manifest.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/refilter/replay.h"

namespace oneline {
namespace {

constexpr char kManifest[] = "MANIFEST-";

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

// The first number in a file's name, as RocksDB counts files; 0 if there is
// none, or none that fits.
uint64_t NumberIn(const std::string& name) {
  const auto begin = std::find_if(name.begin(), name.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
  const auto end = std::find_if(begin, name.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) == 0;
  });
  uint64_t number = 0;
  return absl::SimpleAtoi(std::string(begin, end), &number) ? number : 0;
}

}  // namespace

std::string ManifestName(uint64_t number) {
  return absl::StrFormat("%s%06d", kManifest, number);
}

std::string TableName(uint64_t number) {
  return absl::StrFormat("%06d.sst", number);
}

std::string TemporaryCurrentName(uint64_t number) {
  return absl::StrFormat("%06d.dbtmp", number);
}

absl::StatusOr<CurrentManifest> ReadCurrent(const Disk& disk,
                                            const std::string& database) {
  const std::string current = database + "/CURRENT";
  absl::StatusOr<std::string> name = disk.ReadAll(current);
  if (!name.ok()) return name.status();
  if (name->empty() || name->back() != '\n' ||
      !absl::StartsWith(*name, kManifest) ||
      name->find('/') != std::string::npos) {
    return absl::DataLossError(
        absl::StrCat(current, ": does not name a MANIFEST"));
  }
  name->pop_back();
  const std::string path = absl::StrCat(database, "/", *name);
  const absl::StatusOr<std::string> bytes = disk.ReadAll(path);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<Manifest> manifest = Manifest::Parse(*bytes);
  if (!manifest.ok()) return InFile(path, manifest.status());
  return CurrentManifest{*std::move(name), *std::move(manifest)};
}

absl::StatusOr<uint64_t> FirstFreeNumber(
    const Disk& disk, const std::set<std::string>& directories,
    uint64_t at_least) {
  // RocksDB keeps the path's number in the two top bits.
  constexpr uint64_t kMostFiles = uint64_t{1} << 61;
  for (const std::string& directory : directories) {
    const absl::StatusOr<std::vector<std::string>> names = disk.List(directory);
    if (!names.ok()) return names.status();
    for (const std::string& name : *names) {
      // Names of the forms 000012.*, MANIFEST-000012 and OPTIONS-000012; a
      // larger number in another file's name does no harm.
      const uint64_t number = NumberIn(name);
      if (number < kMostFiles) at_least = std::max(at_least, number + 1);
    }
  }
  if (at_least >= kMostFiles) {
    return absl::DataLossError("the MANIFEST's next file number is too large");
  }
  return at_least;
}

absl::Status WriteManifest(const Disk& disk, const std::string& database,
                           uint64_t number, std::string_view bytes,
                           const Manifest& expected) {
  const std::string path = absl::StrCat(database, "/", ManifestName(number));
  absl::Status status = disk.WriteAll(path, bytes);
  if (status.ok()) status = disk.SyncDirectory(database);
  if (!status.ok()) return status;
  const absl::StatusOr<std::string> read = disk.ReadAll(path);
  if (!read.ok()) return read.status();
  if (*read != bytes) {
    return absl::DataLossError(
        absl::StrCat(path, ": is not what was written to it"));
  }
  return ReplayByRocksDB(database, *read, expected);
}

absl::Status SwitchTo(const Disk& disk, const std::string& database,
                      uint64_t number, bool* may_be_done) {
  *may_be_done = false;
  const std::string temporary =
      absl::StrCat(database, "/", TemporaryCurrentName(number));
  absl::Status status =
      disk.WriteAll(temporary, absl::StrCat(ManifestName(number), "\n"));
  if (!status.ok()) return status;
  // Also after an error: it may be that of another layer than the disk.
  *may_be_done = true;
  status = disk.Rename(temporary, database + "/CURRENT");
  return status.ok() ? disk.SyncDirectory(database) : status;
}

}  // namespace oneline
