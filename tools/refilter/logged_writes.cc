#include "tools/refilter/logged_writes.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/refilter/refilter_database.h"

namespace oneline {
namespace {

// How long a flag to stop can go unnoticed.
constexpr std::chrono::milliseconds kNap(5);

enum ExitCode : int { kNone = 0, kSome = 1, kUnknown = 2 };

// Also where /proc does not tell.
[[maybe_unused]] bool HasOneThread() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return error || std::distance(begin(threads), end(threads)) == 1;
}

ExitCode Look(const RefilterTask& task) {
  prctl(PR_SET_DUMPABLE, 0);
  std::signal(SIGABRT, SIG_DFL);
  std::signal(SIGSEGV, SIG_DFL);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  try {
    const absl::StatusOr<RefilterPlan> plan = MakePlan(task);
    if (!plan.ok()) return kUnknown;
    return RefilterDatabase::HasLoggedWrites(*plan) ? kSome : kNone;
  } catch (...) {
    return kUnknown;  // there is too little memory
  }
}

}  // namespace

LoggedWrites::LoggedWrites(const RefilterTask& task)
    : database_(task.database) {
  assert(HasOneThread());
  // If the caller ignores it, nobody learns how a child ended.
  std::signal(SIGCHLD, SIG_DFL);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  child_ = fork();
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[1]);
    char asked = 0;
    if (read(ends[0], &asked, 1) != 1) _exit(kUnknown);
    _exit(Look(task));
  }
  close(ends[0]);
  ask_ = ends[1];
}

LoggedWrites::~LoggedWrites() {
  if (ask_ >= 0) close(ask_);
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

absl::StatusOr<bool> LoggedWrites::Exist(const std::atomic<bool>& stop) {
  int status = 0;
  pid_t ended = -1;
  if (child_ > 0 && write(ask_, "?", 1) == 1) {
    while ((ended = waitpid(child_, &status, WNOHANG)) == 0 && !stop) {
      std::this_thread::sleep_for(kNap);
    }
  }
  if (stop) return absl::CancelledError("interrupted");
  if (ended > 0) {
    child_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kUnknown;
    if (code == kNone) return false;
    // RocksDB ends a process by other signals than SIGKILL, as the system does.
    const bool is_ended = WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL;
    if (code == kSome || is_ended) return true;
  }
  return absl::UnavailableError(
      absl::StrCat(database_,
                   ": a second process, which reads the logs, could not be "
                   "started or failed: run this again"));
}

}  // namespace oneline
