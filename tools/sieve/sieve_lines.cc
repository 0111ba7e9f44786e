#include "tools/sieve/sieve_lines.h"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/sieve/line_io.h"

namespace oneline {
namespace {

using Lines = std::vector<std::string_view>;

// Writes the new lines. Clears is_new of those that were not written when a
// signal came, and returns Cancelled.
absl::Status WriteNew(const Lines& lines, bool on_disk, LineWriter* writer,
                      bool* is_new) {
  std::string output;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_new[i]) output.append(lines[i]).push_back('\n');
  }
  size_t written = 0;
  const absl::Status wrote = writer->Write(output, &written);
  if (!wrote.ok() && !absl::IsCancelled(wrote)) return wrote;
  size_t end = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!is_new[i]) continue;
    end += lines[i].size() + 1;
    is_new[i] = end <= written;
  }
  if (written > 0 && on_disk) {
    const absl::Status synced = writer->Sync();
    if (!synced.ok()) return synced;
  }
  return wrote;
}

// Writes and remembers the new ones of the lines. Cancelled if a signal came
// before all were written; those that were are remembered.
absl::Status Pass(const Lines& lines, bool on_disk, LineWriter* writer,
                  UrlFrontier* frontier) {
  const auto is_new = std::make_unique<bool[]>(lines.size());
  absl::Status cancelled;
  const absl::Status pushed =
      frontier->Push(lines.data(), lines.size(), is_new.get(), [&] {
        const absl::Status wrote =
            WriteNew(lines, on_disk, writer, is_new.get());
        if (!absl::IsCancelled(wrote)) return wrote;
        cancelled = wrote;
        return absl::OkStatus();
      });
  return pushed.ok() ? cancelled : pushed;
}

}  // namespace

absl::StatusOr<int> SieveLines(UrlFrontier& frontier, uint64_t capacity,
                               const sigset_t& while_waiting) {
  LineReader reader(STDIN_FILENO, while_waiting);
  LineWriter writer(STDOUT_FILENO, while_waiting);
  if (capacity > 0) {
    frontier.WarnPast(capacity, [capacity](uint64_t) {
      absl::FPrintF(stderr,
                    "oneline sieve: warning: more than %d distinct lines: from "
                    "now on more new lines are lost than --fp_rate says\n",
                    capacity);
    });
  }
  for (;;) {
    const absl::StatusOr<Lines> lines = reader.Next();
    if (lines.ok() && lines->empty()) break;
    const absl::Status passed =
        lines.ok() ? Pass(*lines, /*on_disk=*/capacity == 0, &writer, &frontier)
                   : lines.status();
    if (absl::IsCancelled(passed)) break;
    if (!passed.ok()) return passed;
  }
  // What was written is on the disk before it is remembered there.
  absl::Status synced = writer.Sync();
  if (synced.ok()) synced = frontier.Sync();
  if (!synced.ok()) return synced;
  return StoppedBy() == 0 ? kExitFine : 128 + StoppedBy();
}

}  // namespace oneline
