#include "tools/sieve/stop_signals.h"

#include <poll.h>

#include <cerrno>

namespace oneline {
namespace {

volatile std::sig_atomic_t stopped_by = 0;

void Stop(int signal) { stopped_by = signal; }

// Waits for the file, if there is one. Signals are unblocked inside ppoll only:
// none can arrive between a check of a flag and a wait that then lasts for
// ever.
absl::Status Poll(struct pollfd* file, const struct timespec* timeout,
                  const sigset_t& while_waiting) {
  const nfds_t files = file == nullptr ? 0 : 1;
  if (ppoll(file, files, timeout, &while_waiting) >= 0) return absl::OkStatus();
  if (errno == EINTR) return absl::CancelledError("interrupted");
  return absl::ErrnoToStatus(errno, "poll");
}

}  // namespace

sigset_t CatchStopSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t stopping, before;
  sigemptyset(&stopping);
  struct sigaction action = {};
  action.sa_handler = &Stop;
  for (int signal : {SIGINT, SIGTERM}) {
    sigaddset(&stopping, signal);
    sigaction(signal, &action, nullptr);
  }
  sigprocmask(SIG_BLOCK, &stopping, &before);
  return before;
}

int StoppedBy() { return stopped_by; }

absl::Status TakePendingSignal(const sigset_t& while_waiting) {
  const struct timespec at_once = {};
  return Poll(nullptr, &at_once, while_waiting);
}

absl::Status WaitUntilReady(int fd, short events,
                            const sigset_t& while_waiting) {
  struct pollfd file = {fd, events, 0};
  return Poll(&file, nullptr, while_waiting);
}

}  // namespace oneline
