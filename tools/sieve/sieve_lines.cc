// The main loop of `oneline sieve`: reads lines, writes the new ones.

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/command/stop_signals.h"
#include "tools/sieve/line_reader.h"
#include "tools/sieve/line_writer.h"
#include "tools/sieve/sieve.h"
#include "tools/sieve/sieve_status.h"

namespace oneline {
namespace {

using Lines = std::vector<std::string_view>;

// Clears is_new of the lines that are not within the first `written` bytes of
// the output.
void DropUnwritten(const Lines& lines, size_t written, bool* is_new) {
  size_t end = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!is_new[i]) continue;
    end += lines[i].size() + 1;
    is_new[i] = end <= written;
  }
}

class Sieve {
 public:
  Sieve(UrlStore& store, const sigset_t& while_waiting)
      : store_(store),
        writer_(STDOUT_FILENO, while_waiting),
        progress_(store),
        output_is_shown_(isatty(STDOUT_FILENO) != 0) {}

  // Writes and remembers the new ones of the lines. Cancelled if a signal came
  // before all were written; those that were are remembered.
  absl::Status Pass(const Lines& lines);

  // What was written is on the disk before it is remembered there.
  absl::Status Sync() {
    const absl::Status synced = writer_.Sync();
    return synced.ok() ? store_.Sync() : synced;
  }

  void Warn(uint64_t capacity);

 private:
  // Appends the new lines to output_.
  void Collect(const Lines& lines, const bool* is_new);

  UrlStore& store_;
  LineWriter writer_;
  SieveStatus progress_;
  const bool output_is_shown_;
  std::string output_;
};

void Sieve::Collect(const Lines& lines, const bool* is_new) {
  output_.clear();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_new[i]) output_.append(lines[i]).push_back('\n');
  }
}

absl::Status Sieve::Pass(const Lines& lines) {
  const size_t n = lines.size();
  const auto is_new = std::make_unique<bool[]>(n);
  absl::Status status = store_.FindNew(lines.data(), n, is_new.get());
  if (!status.ok()) return status;
  Collect(lines, is_new.get());
  if (output_is_shown_ && !output_.empty()) progress_.Hide();
  size_t written = 0;
  const absl::Status wrote = writer_.Write(output_, &written);
  if (absl::IsCancelled(wrote)) {
    if (!store_.is_on_disk()) {
      return absl::AbortedError(
          "interrupted while the output was blocked: nothing was saved");
    }
    DropUnwritten(lines, written, is_new.get());
  } else if (!wrote.ok()) {
    return wrote;
  }
  if (written > 0 && store_.is_on_disk()) status = writer_.Sync();
  if (status.ok()) status = store_.Remember(lines.data(), n, is_new.get());
  progress_.Update(n);
  return status.ok() ? wrote : status;
}

void Sieve::Warn(uint64_t capacity) {
  progress_.Hide();
  absl::FPrintF(stderr,
                "oneline sieve: warning: more than %d distinct lines: from now "
                "on more new lines are lost than --fp_rate says\n",
                capacity);
}

}  // namespace

absl::StatusOr<int> SieveLines(UrlStore& store, uint64_t capacity,
                               const sigset_t& while_waiting) {
  LineReader reader(STDIN_FILENO, while_waiting);
  Sieve sieve(store, while_waiting);
  for (;;) {
    const absl::StatusOr<Lines> lines = reader.Next();
    if (lines.ok() && lines->empty()) break;
    const absl::Status passed =
        lines.ok() ? sieve.Pass(*lines) : lines.status();
    if (absl::IsCancelled(passed)) break;
    if (!passed.ok()) return passed;
    if (capacity != 0 && store.NumSeen() > capacity) {
      sieve.Warn(capacity);
      capacity = 0;
    }
  }
  const absl::Status synced = sieve.Sync();
  if (!synced.ok()) return synced;
  return StoppedBy() == 0 ? kExitFine : 128 + StoppedBy();
}

}  // namespace oneline
