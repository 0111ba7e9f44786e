// The work is done by a child process that dies of a signal as usual, and the
// parent process only waits for its end. A signal handler within the working
// process could not clean up: the threads of the database would go on creating
// files, and after a failed assertion of the database library nobody would be
// left to do it.

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

// Forks with the signals blocked, so that none arrives before the handler knows
// the child.
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
    absl::FPrintF(stderr, "error: cannot create a directory in %s: %s\n",
                  parent, strerror(errno));
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

  // The child has ended. A signal must not stop the removal of its directory.
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
