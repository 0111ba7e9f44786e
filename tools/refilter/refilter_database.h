// A database that `oneline refilter` has opened.

#ifndef ONELINE_TOOLS_REFILTER_REFILTER_DATABASE_H_
#define ONELINE_TOOLS_REFILTER_REFILTER_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/refilter/plan.h"

namespace oneline {

// Whether a checkpoint of the database can be made there: nothing may be there
// yet, nor under the name that it has until it is whole; and the database must
// be in one directory, as the checkpoint is.
absl::Status CheckKeep(const RefilterPlan& plan, const std::string& directory);

class RefilterDatabase {
 public:
  // To look at it, so that nothing changes, not even its LOG; or to change it,
  // which leaves its OPTIONS as they are. Unavailable with RocksDB's message if
  // RocksDB can't open it.
  // `files`: what it is changed through.
  static absl::StatusOr<std::unique_ptr<RefilterDatabase>> Open(
      const RefilterPlan& plan, bool to_change,
      const std::shared_ptr<rocksdb::FileSystem>& files =
          rocksdb::FileSystem::Default());
  ~RefilterDatabase();  // closes it
  // Until the process ends: RocksDB 7.8 can wait for ever in Close when a disk
  // was full in CompactFiles.
  void LeaveOpen();
  RefilterDatabase(const RefilterDatabase&) = delete;
  RefilterDatabase& operator=(const RefilterDatabase&) = delete;

  rocksdb::DB* db() const { return db_.get(); }
  // Of the families that the plan has chosen.
  const std::vector<rocksdb::ColumnFamilyHandle*>& chosen() const {
    return chosen_;
  }

  // Makes a checkpoint there, which is open to nobody to whom the database is
  // not. After an error there is nothing of it; or all, which may be lost if
  // power is. REQUIRES: CheckKeep() is OK.
  absl::Status Keep(const std::string& directory) const;

 private:
  RefilterDatabase() = default;

  std::unique_ptr<rocksdb::Env> env_;  // outlives the database
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_, chosen_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_REFILTER_DATABASE_H_
