// The main loop of `oneline sieve`: reads lines, writes the new ones.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/sieve/line_reader.h"
#include "tools/sieve/line_writer.h"
#include "tools/sieve/sieve.h"
#include "tools/sieve/stop_signals.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

using Lines = std::vector<std::string_view>;

// A line on standard error, if that is a terminal and standard input is not: it
// would disturb a user who types lines.
//
//   812345 lines/s, 2400000 read, 1200345 new, 5200345 seen, error rate 1.3e-05
class StatusLine {
 public:
  explicit StatusLine(const UrlFrontier& frontier)
      : frontier_(frontier),
        columns_(isatty(STDIN_FILENO) != 0 ? 0 : TerminalColumns(stderr)),
        seen_before_(frontier.NumSeen()) {}
  // Leaves the last state on the terminal.
  ~StatusLine() {
    if (columns_ == 0) return;
    Draw();
    std::fputc('\n', stderr);
  }

  // Counts more lines, and draws the line at most once a second.
  void Update(size_t num_lines) {
    num_read_ += num_lines;
    if (columns_ != 0 && Clock::now() - drawn_at_ >= std::chrono::seconds(1)) {
      Draw();
    }
  }

  // Erases the line, so that something else can be printed.
  void Hide() {
    if (!is_drawn_) return;
    std::fputs(kEraseLine, stderr);
    std::fflush(stderr);
    is_drawn_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void Draw();

  const UrlFrontier& frontier_;
  const int columns_;  // 0: draws nothing
  const uint64_t seen_before_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_at_ = start_;
  bool is_drawn_ = false;
  uint64_t num_read_ = 0;
};

void StatusLine::Draw() {
  drawn_at_ = Clock::now();
  is_drawn_ = true;
  const std::chrono::duration<double> time = drawn_at_ - start_;
  const uint64_t seen = frontier_.NumSeen();
  const std::string line =
      absl::StrFormat("%.0f lines/s, %d read, %d new, %d seen, error rate %.2g",
                      static_cast<double>(num_read_) / time.count(), num_read_,
                      seen - seen_before_, seen, frontier_.FpRate());
  // Stays left of the last column: some terminals scroll when it is filled.
  absl::FPrintF(stderr, "%s%s", kEraseLine,
                line.substr(0, static_cast<size_t>(columns_ - 1)));
  std::fflush(stderr);
}

class Sieve {
 public:
  Sieve(UrlFrontier& frontier, uint64_t capacity, const sigset_t& while_waiting)
      : frontier_(frontier),
        on_disk_(capacity == 0),
        writer_(STDOUT_FILENO, while_waiting),
        status_line_(frontier) {
    if (on_disk_) return;
    frontier.WarnPast(capacity, [this, capacity](uint64_t) {
      status_line_.Hide();
      absl::FPrintF(stderr,
                    "oneline sieve: warning: more than %d distinct lines: from "
                    "now on more new lines are lost than --fp_rate says\n",
                    capacity);
    });
  }
  ~Sieve() { frontier_.WarnPast(0, nullptr); }

  // Writes and remembers the new ones of the lines. Cancelled if a signal came
  // before all were written; those that were are remembered.
  absl::Status Pass(const Lines& lines) {
    const auto is_new = std::make_unique<bool[]>(lines.size());
    absl::Status cancelled;
    const absl::Status pushed =
        frontier_.Push(lines.data(), lines.size(), is_new.get(), [&] {
          const absl::Status wrote = Write(lines, is_new.get());
          if (!absl::IsCancelled(wrote)) return wrote;
          cancelled = wrote;
          return absl::OkStatus();
        });
    status_line_.Update(lines.size());
    return pushed.ok() ? cancelled : pushed;
  }

  // What was written is on the disk before it is remembered there.
  absl::Status Sync() {
    const absl::Status synced = writer_.Sync();
    return synced.ok() ? frontier_.Sync() : synced;
  }

 private:
  // Writes the new lines. Clears is_new of those that were not written when a
  // signal came, and returns Cancelled.
  absl::Status Write(const Lines& lines, bool* is_new);

  UrlFrontier& frontier_;
  const bool on_disk_;
  LineWriter writer_;
  StatusLine status_line_;
  const bool output_is_shown_ = isatty(STDOUT_FILENO) != 0;
  std::string output_;
};

absl::Status Sieve::Write(const Lines& lines, bool* is_new) {
  output_.clear();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_new[i]) output_.append(lines[i]).push_back('\n');
  }
  if (output_is_shown_ && !output_.empty()) status_line_.Hide();
  size_t written = 0;
  const absl::Status wrote = writer_.Write(output_, &written);
  if (!wrote.ok() && !absl::IsCancelled(wrote)) return wrote;
  size_t end = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!is_new[i]) continue;
    end += lines[i].size() + 1;
    is_new[i] = end <= written;
  }
  if (written > 0 && on_disk_) {
    const absl::Status synced = writer_.Sync();
    if (!synced.ok()) return synced;
  }
  return wrote;
}

}  // namespace

absl::StatusOr<int> SieveLines(UrlFrontier& frontier, uint64_t capacity,
                               const sigset_t& while_waiting) {
  LineReader reader(STDIN_FILENO, while_waiting);
  Sieve sieve(frontier, capacity, while_waiting);
  for (;;) {
    const absl::StatusOr<Lines> lines = reader.Next();
    if (lines.ok() && lines->empty()) break;
    const absl::Status passed =
        lines.ok() ? sieve.Pass(*lines) : lines.status();
    if (absl::IsCancelled(passed)) break;
    if (!passed.ok()) return passed;
  }
  const absl::Status synced = sieve.Sync();
  if (!synced.ok()) return synced;
  return StoppedBy() == 0 ? kExitFine : 128 + StoppedBy();
}

}  // namespace oneline
