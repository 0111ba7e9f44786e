// See scratch_directory.h. A handler in the working process could not do it:
// the database's threads go on creating files while it removes them, and an
// assertion in the database library would leave no one to clean up. So the
// work is done by a child that dies of a signal as usual, and the parent does
// nothing but wait for that.

#include "bench/measure/scratch_directory.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_format.h"

namespace oneline {
namespace {

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile sig_atomic_t g_child = 0;

void PassOn(int signal) { kill(g_child, signal); }

void SetHandlers(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (int signal : kEndingSignals) sigaction(signal, &action, nullptr);
}

sigset_t EndingSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : kEndingSignals) sigaddset(&set, signal);
  return set;
}

// Forks with the signals blocked, so that none falls between the fork and the
// handler's knowing the child.
pid_t ForkWorker() {
  const sigset_t ending = EndingSignals();
  sigprocmask(SIG_BLOCK, &ending, nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child > 0) {
    g_child = child;
    SetHandlers(PassOn);
  } else if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  sigprocmask(SIG_UNBLOCK, &ending, nullptr);
  return child;
}

int ExitCode(int wait_status) {
  if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
  const int signal = WTERMSIG(wait_status);
  bool asked_for = false;
  for (int ending : kEndingSignals) asked_for |= signal == ending;
  if (asked_for) {
    absl::FPrintF(stderr, "\ninterrupted\n");
  } else {
    absl::FPrintF(stderr, "\nerror: ended by signal %d (%s)\n", signal,
                  strsignal(signal));
  }
  return 128 + signal;
}

}  // namespace

int RunInScratchDirectory(
    std::string_view name,
    const std::function<int(const std::string& directory)>& work) {
  const char* parent = std::getenv("TMPDIR");
  if (parent == nullptr || *parent == '\0') parent = "/tmp";
  std::string directory = parent;
  directory.append("/").append(name).append("-XXXXXX");
  if (mkdtemp(directory.data()) == nullptr) {
    absl::FPrintF(stderr, "error: cannot make a directory in %s: %s\n", parent,
                  strerror(errno));
    return 1;
  }

  const pid_t child = ForkWorker();
  if (child == 0) std::exit(work(directory));
  int code = 1;
  if (child < 0) {
    absl::FPrintF(stderr, "error: cannot fork: %s\n", strerror(errno));
  } else {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    code = ExitCode(status);
  }

  // The child is gone: from here on a signal must not stop the removal.
  SetHandlers(SIG_IGN);
  std::error_code error;
  std::filesystem::remove_all(directory, error);
  if (error) {
    absl::FPrintF(stderr, "error: cannot remove %s: %s\n", directory,
                  error.message());
    code = code == 0 ? 1 : code;
  }
  SetHandlers(SIG_DFL);
  return code;
}

}  // namespace oneline
