// Whether a database's write-ahead logs have writes that no table has. RocksDB
// can end the process that reads those of a WritePrepared TransactionDB, so a
// child process does.

#ifndef ONELINE_TOOLS_REFILTER_LOGGED_WRITES_H_
#define ONELINE_TOOLS_REFILTER_LOGGED_WRITES_H_

#include <sys/types.h>

#include <atomic>
#include <string>

#include "absl/status/statusor.h"
#include "tools/refilter/plan.h"

namespace oneline {

class LoggedWrites {
 public:
  // Starts the child, which waits until it is asked, and ends with this object
  // or process.
  // REQUIRES: the process has one thread, so nothing has opened a database: the
  // child would wait for ever for a lock that another thread held.
  explicit LoggedWrites(const RefilterTask& task);
  ~LoggedWrites();
  LoggedWrites(const LoggedWrites&) = delete;
  LoggedWrites& operator=(const LoggedWrites&) = delete;

  // True also if RocksDB refuses the logs, or ends the child. Cancelled once
  // `stop` is set, Unavailable if the child could not look. Reads all logs into
  // memory. To be called once.
  absl::StatusOr<bool> Exist(const std::atomic<bool>& stop);

 private:
  const std::string database_;
  int ask_ = -1;  // the child's pipe
  pid_t child_ = -1;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_LOGGED_WRITES_H_
