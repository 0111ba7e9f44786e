// The main loop of `oneline sieve`: reads lines, writes the new ones.

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/sieve/line_reader.h"
#include "tools/sieve/sieve.h"
#include "tools/sieve/sieve_status.h"

namespace oneline {
namespace {

volatile std::sig_atomic_t stopped_by = 0;

void Stop(int signal) { stopped_by = signal; }

// Makes SIGINT and SIGTERM interrupt the reader's waits and nothing else: they
// are blocked at all other times. Returns the signal mask for the waits.
sigset_t CatchSignals() {
  std::signal(SIGPIPE, SIG_IGN);  // write() returns EPIPE instead
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

absl::Status WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return absl::ErrnoToStatus(errno, "standard output");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> SieveLines(UrlStore& store, uint64_t capacity) {
  LineReader reader(STDIN_FILENO, CatchSignals());
  SieveStatus progress(store);
  const bool output_is_shown = isatty(STDOUT_FILENO) != 0;
  std::string output;
  for (;;) {
    const absl::StatusOr<std::vector<std::string_view>> lines = reader.Next();
    if (absl::IsCancelled(lines.status())) break;
    if (!lines.ok()) return lines.status();
    if (lines->empty()) break;
    const size_t n = lines->size();
    const auto is_new = std::make_unique<bool[]>(n);
    absl::Status status = store.FindNew(lines->data(), n, is_new.get());
    output.clear();
    for (size_t i = 0; i < n && status.ok(); ++i) {
      if (is_new[i]) output.append((*lines)[i]).push_back('\n');
    }
    if (output_is_shown && !output.empty()) progress.Hide();
    if (status.ok()) status = WriteAll(output);
    if (status.ok()) status = store.Remember(lines->data(), n, is_new.get());
    if (!status.ok()) return status;
    if (capacity != 0 && store.NumSeen() > capacity) {
      progress.Hide();
      absl::FPrintF(
          stderr,
          "oneline sieve: warning: more than %d distinct lines: from now on "
          "more new lines are lost than --fp_rate says\n",
          capacity);
      capacity = 0;
    }
    progress.Update(n);
  }
  const absl::Status synced = store.Sync();
  if (!synced.ok()) return synced;
  return stopped_by == 0 ? kExitFine : 128 + stopped_by;
}

}  // namespace oneline
