// New filters for the tables of an open database.
//
// A filter policy only acts on new tables. Refilter finds the tables whose
// filter is not the one that the policy of their column family writes now, and
// compacts each of them onto its own level, while the program reads and writes.
// The way back to another policy, RocksDB's own or none, is the same call. If
// no table needs a new filter, a call reads all filters and writes nothing, so
// a program can call it at each start. docs/operations.md has an example, what
// is left, and what versions of RocksDB need.

#ifndef ONELINE_REFILTER_H_
#define ONELINE_REFILTER_H_

#include <rocksdb/db.h>
#include <rocksdb/status.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oneline/version.h"

namespace oneline {
inline namespace ONELINE_ABI {

// The tables that are known to need a new filter, and how many of them were
// rewritten or left.
struct RefilterProgress {
  uint64_t tables = 0, bytes = 0;
  uint64_t tables_done = 0, bytes_done = 0;
};

struct RefilterOptions {
  // All that are meant, each once; empty: the default one. The handles must
  // stay valid until the call returns. A family that is dropped meanwhile is
  // left out.
  std::vector<rocksdb::ColumnFamilyHandle*> column_families;

  // How many tables are compacted at the same time, 1 to 64.
  int threads = 1;

  // Bytes of tables that are checked per second, by all threads together; 0: no
  // limit. A table is checked, and then read once more and written, at full
  // speed; the threads then wait until the average is below the limit.
  uint64_t bytes_per_second = 20 << 20;

  // Set it to true to end the call. It then waits for the tables that are being
  // compacted, as RocksDB can't interrupt them. Null: never.
  const std::atomic<bool>* cancel = nullptr;

  // Called after each table that was rewritten or left, in any of the threads,
  // by one at a time, while the others wait. It must not throw, and must not
  // call RefilterThread::Stop(). May be empty.
  std::function<void(const RefilterProgress&)> progress;

  // If true, the call only finds and counts what would be done.
  bool dry_run = false;

  // If true, all tables that are there when the call begins count as wrong.
  bool all_tables = false;
};

// A table that still has another filter than the policy writes now.
struct LeftTable {
  std::string column_family;
  std::string path;
  int level = 0;
  rocksdb::Status status;  // why
};

struct RefilterReport {
  // All tables of the requested column families when the call began.
  uint64_t tables = 0, bytes = 0;

  // Tables that needed a new filter, also tables that the program wrote since
  // then; found = rewritten + left, except in a dry run.
  uint64_t tables_found = 0, bytes_found = 0;

  // Rewritten by this call or by another compaction meanwhile. The bytes are
  // those of the old tables.
  uint64_t tables_rewritten = 0, bytes_rewritten = 0;

  // Also tables whose turn did not come because the call ended early.
  std::vector<LeftTable> left;

  // Tables of column families that were not requested.
  uint64_t tables_of_other_families = 0;

  // The filters of all tables of the requested column families. In a dry run
  // the second is an estimate; after a call that ended early it lacks tables
  // that the program wrote meanwhile.
  uint64_t filter_bytes_before = 0, filter_bytes_after = 0;
};

// Rewrites the tables, small levels first, until each has the filter that its
// policy writes now. `report` may be null; it is filled in whatever the status.
//
// OK: every table has its filter (in a dry run: what is to be done is known).
// Incomplete: tables are left for the reasons in the report, or the call was
// cancelled, or DB::DisableManualCompaction forbids it.
// InvalidArgument: an option or a handle is wrong, or a column family has
// merges but no merge operator. Nothing was written.
// NotSupported: the database is read-only, or RocksDB is of another version, to
// the patch, than the one that the library was compiled for.
// ShutdownInProgress: the database is being closed.
// MemoryLimit: there was not enough memory.
// Any other: the status of the compaction that failed. RocksDB then usually
// stops all writes. After NoSpace end the process without closing the database,
// as DB::Close can wait for ever.
//
// The database must not be closed meanwhile: RocksDB does not wait for the
// compactions, and crashes. Thread-safe; concurrent calls on one database get
// in each other's way, but do no harm.
rocksdb::Status Refilter(rocksdb::DB* db, const RefilterOptions& options,
                         RefilterReport* report);

// Runs Refilter in a thread of its own. Declare it after the database, so that
// it ends first: close or destroy the database, a column family handle of the
// options, their flag, or what their functions use, only after Stop() or the
// destructor has returned.
class RefilterThread {
 public:
  using Done =
      std::function<void(const rocksdb::Status&, const RefilterReport&)>;

  // Starts the thread. At the end it calls `done`, unless that is empty; it
  // must not throw, and must not call Stop(). If no thread can be started, the
  // constructor calls `done` with an Aborted status.
  RefilterThread(rocksdb::DB* db, const RefilterOptions& options,
                 Done done = nullptr);
  ~RefilterThread();  // calls Stop()
  RefilterThread(const RefilterThread&) = delete;
  RefilterThread& operator=(const RefilterThread&) = delete;

  // Cancels, and waits until the thread has ended. Can be called any number of
  // times, and by several threads.
  void Stop();

 private:
  class Run;
  const std::unique_ptr<Run> run_;
};

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_REFILTER_H_
