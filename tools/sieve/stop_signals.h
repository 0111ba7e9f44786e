// SIGINT and SIGTERM in commands that write. They interrupt waits for input and
// output and nothing else, so that what was begun is finished.

#ifndef ONELINE_TOOLS_SIEVE_STOP_SIGNALS_H_
#define ONELINE_TOOLS_SIEVE_STOP_SIGNALS_H_

#include <csignal>

#include "absl/status/status.h"

namespace oneline {

// Blocks both signals in this thread and in those that it starts from now on: a
// database's threads would take them. Returns the signal mask for
// WaitUntilReady. Also makes writes to a closed pipe fail with an error.
// REQUIRES: there are no other threads yet.
sigset_t CatchStopSignals();

// The signal that came; 0 if none did.
int StoppedBy();

// Cancelled if a signal came that is blocked now and not in `while_waiting`.
absl::Status TakePendingSignal(const sigset_t& while_waiting);

// Waits until a read from `fd` (POLLIN) or a write to it (POLLOUT) will not
// block. `while_waiting` is the signal mask during the wait. Cancelled if it
// had to wait and a signal came before or meanwhile.
absl::Status WaitUntilReady(int fd, short events,
                            const sigset_t& while_waiting);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_STOP_SIGNALS_H_
