#include "tools/text/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// More often would only flicker.
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr int kMaxBarColumns = 40;

double Seconds(Progress::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// The width of the terminal `out`; 0 if it is no terminal, or one that cannot
// redraw a line.
int TerminalColumns(FILE* out) {
  const char* terminal = std::getenv("TERM");
  if (!isatty(fileno(out)) || terminal == nullptr ||
      std::string_view(terminal) == "dumb") {
    return 0;
  }
  winsize size{};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

}  // namespace

Progress::Progress(FILE* out) : Progress(out, TerminalColumns(out)) {}

Progress::Progress(FILE* out, int columns,
                   std::function<Clock::time_point()> now)
    : out_(out), columns_(columns), now_(std::move(now)) {}

Progress::~Progress() {
  if (stage_.empty()) return;
  std::fputc('\n', out_);
  std::fflush(out_);
}

void Progress::Begin(std::string stage, uint64_t total, bool are_bytes) {
  End();
  std::lock_guard<std::mutex> lock(mutex_);
  stage_ = std::move(stage);
  are_bytes_ = are_bytes;
  total_ = total;
  done_ = 0;
  started_ = now_();
  if (columns_ > 0) {
    Draw(started_);
  } else {
    absl::FPrintF(out_, "%s ...", stage_);
    std::fflush(out_);
  }
}

void Progress::Advance(uint64_t amount) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (stage_.empty()) return;
  done_ = std::min(done_ + amount, total_);
  const Clock::time_point now = now_();
  if (columns_ > 0 && now - drawn_ >= kRedrawEvery) Draw(now);
}

void Progress::End() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (stage_.empty()) return;
  stage_.clear();
  if (columns_ > 0) {
    std::fputs("\r\x1b[K", out_);
  } else {
    absl::FPrintF(out_, " %.1f s\n", Seconds(now_() - started_));
  }
  std::fflush(out_);
}

void Progress::Draw(Clock::time_point now) {
  drawn_ = now;
  const double fraction = total_ == 0 ? 0 : 1.0 * done_ / total_;
  // Stays left of the last column: some terminals scroll when it is filled. On
  // a narrow terminal the bar shrinks first, then the line is cut.
  const int columns = columns_ - 1;
  const double seconds = Seconds(now - started_);
  std::string end = absl::StrFormat(
      "] %3d%% %5s", static_cast<int>(fraction * 100), DurationText(seconds));
  if (are_bytes_ && done_ > 0 && seconds >= 1) {
    const double rate = done_ / seconds;
    absl::StrAppend(&end, ", ", BytesText(rate), "/s, ",
                    DurationText((total_ - done_) / rate), " left");
  }
  const int bar =
      std::clamp(columns - static_cast<int>(stage_.size() + 2 + end.size()), 0,
                 kMaxBarColumns);
  const int filled = static_cast<int>(fraction * bar);
  const std::string line = absl::StrCat(stage_, " [", std::string(filled, '='),
                                        std::string(bar - filled, ' '), end);
  absl::FPrintF(out_, "\r%s\x1b[K", line.substr(0, columns));
  std::fflush(out_);
}

}  // namespace oneline
