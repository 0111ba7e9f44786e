#include "tools/refilter/refilter_database.h"

#include <rocksdb/env.h>
#include <rocksdb/table_properties.h>
#include <sys/stat.h>

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tools/database/read_only_env.h"
#include "tools/refilter/guards.h"

namespace oneline {
namespace {

// RocksDB writes the options of each opening into a new OPTIONS file, from
// which other programs may load theirs: with the filter policy of this one, and
// without automatic compactions. Here that file gets the text of the old one.
class SameOptions final : public rocksdb::FileSystemWrapper {
 public:
  SameOptions(const std::shared_ptr<rocksdb::FileSystem>& files,
              std::string text)
      : FileSystemWrapper(files), text_(std::move(text)) {}

  const char* Name() const override { return "SameOptions"; }

  // RocksDB writes a temporary file, compares it with the options, and renames
  // it.
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status;
    if (absl::StartsWith(to.substr(to.rfind('/') + 1), "OPTIONS-")) {
      std::unique_ptr<rocksdb::FSWritableFile> file;
      status =
          target()->NewWritableFile(from, rocksdb::FileOptions(), &file, debug);
      if (status.ok()) status = file->Append(text_, options, debug);
      if (status.ok()) status = file->Fsync(options, debug);
      if (status.ok()) status = file->Close(options, debug);
    }
    return status.ok() ? target()->RenameFile(from, to, options, debug)
                       : status;
  }

 private:
  const std::string text_;
};

std::vector<rocksdb::ColumnFamilyDescriptor> Descriptors(
    const RefilterPlan& plan) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const PlannedFamily& family : plan.families) {
    families.push_back(family.descriptor);
  }
  return families;
}

// All files that the process makes from now on.
void LetFilesBeNoMoreOpenThan(const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) return;
  umask(umask(0777) | (~file.st_mode & 0666));
}

}  // namespace

rocksdb::Status RefilterDatabase::OpenToRead(const RefilterPlan& plan,
                                             rocksdb::Env* env) {
  rocksdb::DBOptions options = plan.db_options;
  options.info_log = std::make_shared<NoLog>();
  options.env = env;
  return rocksdb::DB::OpenForReadOnly(options, plan.database, Descriptors(plan),
                                      &handles_, OpenInto(&db_));
}

bool RefilterDatabase::HasLoggedWrites(const RefilterPlan& plan) {
  RefilterDatabase opened;
  if (!opened.OpenToRead(plan, ReadOnlyEnvWithLogs()).ok()) return true;
  uint64_t active = 0, others = 0;
  using Properties = rocksdb::DB::Properties;
  return !opened.db_->GetAggregatedIntProperty(
             Properties::kNumEntriesActiveMemTable, &active) ||
         !opened.db_->GetAggregatedIntProperty(
             Properties::kNumEntriesImmMemTables, &others) ||
         active + others > 0;
}

absl::StatusOr<std::unique_ptr<RefilterDatabase>> RefilterDatabase::Open(
    const RefilterPlan& plan, bool to_change,
    const std::shared_ptr<rocksdb::FileSystem>& files) {
  std::unique_ptr<RefilterDatabase> opened(new RefilterDatabase());
  rocksdb::Status status;
  if (to_change) {
    rocksdb::DBOptions options = plan.db_options;
    // The LOG stays that of the program, from which `doctor` learns its
    // options.
    options.info_log = std::make_shared<NoLog>();
    LetFilesBeNoMoreOpenThan(plan.database + "/CURRENT");
#if ONELINE_HAS_OPTIONS_FILE_ERROR
    options.fail_if_options_file_error = true;  // as since 10.0
#endif
    opened->env_ = rocksdb::NewCompositeEnv(
        std::make_shared<SameOptions>(files, plan.options_text));
    options.env = opened->env_.get();
    status = rocksdb::DB::Open(options, plan.database, Descriptors(plan),
                               &opened->handles_, OpenInto(&opened->db_));
  } else {
    status = opened->OpenToRead(plan, ReadOnlyEnv());
  }
  if (status.ok()) return opened;
  return absl::UnavailableError(absl::StrCat(
      plan.database, ": RocksDB can't open it: ", status.ToString()));
}

RefilterDatabase::~RefilterDatabase() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

void RefilterDatabase::LeaveOpen() {
  static_cast<void>(db_.release());
  static_cast<void>(env_.release());
}

absl::Status RefilterDatabase::CheckCollectors(size_t i) const {
  rocksdb::TablePropertiesCollection tables;
  const rocksdb::Status status =
      db_->GetPropertiesOfAllTables(family(i), &tables);
  if (!status.ok()) return absl::DataLossError(status.ToString());
  for (const auto& [path, properties] : tables) {
    const std::string& names = properties->property_collectors_names;
    if (names.empty() || names == "[]" || names == "N/A") continue;
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": has properties of the collectors ", names,
                     ", which this program does not have:", kCallInProgram));
  }
  return absl::OkStatus();
}

}  // namespace oneline
