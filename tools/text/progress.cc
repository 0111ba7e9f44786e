#include "tools/text/progress.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "tools/text/terminal.h"

namespace oneline {
namespace {

// Redrawing more often would only flicker.
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);

// The columns around the bar, besides the stage: " [" and "] 100%  9:59".
constexpr int kColumnsAround = 14;
constexpr int kMaxBarColumns = 40;

}  // namespace

Progress::Progress(FILE* out) : Progress(out, TerminalColumns(out)) {}

Progress::Progress(FILE* out, int columns,
                   std::function<Clock::time_point()> now)
    : out_(out), columns_(columns), now_(std::move(now)) {}

Progress::~Progress() {
  if (!stage_.empty()) {
    std::fputc('\n', out_);
    std::fflush(out_);
  }
}

void Progress::Begin(std::string stage, uint64_t total) {
  std::lock_guard<std::mutex> lock(mutex_);
  EndLocked();
  stage_ = std::move(stage);
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
  EndLocked();
}

void Progress::EndLocked() {
  if (stage_.empty()) return;
  stage_.clear();
  if (columns_ > 0) {
    std::fputs(kEraseLine, out_);
  } else {
    const std::chrono::duration<double> took = now_() - started_;
    absl::FPrintF(out_, " %.1f s\n", took.count());
  }
  std::fflush(out_);
}

void Progress::Draw(Clock::time_point now) {
  drawn_ = now;
  const double fraction =
      total_ == 0 ? 0
                  : static_cast<double>(done_) / static_cast<double>(total_);
  // Stays left of the last column: some terminals scroll when it is filled. On
  // a narrow terminal the bar shrinks first, then the line is cut.
  const int columns = columns_ - 1;
  const int bar =
      std::clamp(columns - kColumnsAround - static_cast<int>(stage_.size()), 0,
                 kMaxBarColumns);
  const int filled = static_cast<int>(fraction * bar);
  const int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(now - started_).count();
  const std::string line = absl::StrFormat(
      "%s [%s%s] %3d%% %2d:%02d", stage_, std::string(filled, '='),
      std::string(bar - filled, ' '), static_cast<int>(fraction * 100),
      seconds / 60, seconds % 60);
  absl::FPrintF(out_, "\r%s\x1b[K", line.substr(0, columns));
  std::fflush(out_);
}

}  // namespace oneline
