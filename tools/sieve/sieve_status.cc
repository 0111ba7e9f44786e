#include "tools/sieve/sieve_status.h"

#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_format.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

// Lines per second; 0 if no time has passed.
double Rate(uint64_t lines, std::chrono::duration<double> time) {
  return time.count() > 0 ? static_cast<double>(lines) / time.count() : 0;
}

}  // namespace

SieveStatus::SieveStatus(const UrlStore& store)
    : store_(store),
      columns_(isatty(STDIN_FILENO) != 0 ? 0 : TerminalColumns(stderr)),
      seen_before_(store.NumSeen()) {}

SieveStatus::~SieveStatus() {
  if (columns_ == 0) return;
  Draw(Rate(lines_, Clock::now() - start_));
  std::fputc('\n', stderr);
}

void SieveStatus::Hide() {
  if (!drawn_) return;
  std::fputs(kEraseLine, stderr);
  std::fflush(stderr);
  drawn_ = false;
}

void SieveStatus::Update(uint64_t num_lines) {
  lines_ += num_lines;
  if (columns_ == 0) return;
  const Clock::time_point now = Clock::now();
  const bool second_over = now - rated_at_ >= std::chrono::seconds(1);
  if (second_over) {
    rate_ = Rate(lines_ - rated_lines_, now - rated_at_);
    rated_at_ = now;
    rated_lines_ = lines_;
  }
  // Between the seconds only a hidden line is drawn again, and nothing is drawn
  // before the first rate is known.
  if (second_over || (!drawn_ && rate_ > 0)) Draw(rate_);
}

void SieveStatus::Draw(double lines_per_second) {
  const std::string line =
      absl::StrFormat("%.0f lines/s, %d read, %d new, %d seen, error rate %.2g",
                      lines_per_second, lines_, store_.NumSeen() - seen_before_,
                      store_.NumSeen(), store_.FpRate());
  // Stays left of the last column: some terminals scroll when it is filled.
  absl::FPrintF(stderr, "%s%s", kEraseLine,
                line.substr(0, static_cast<size_t>(columns_ - 1)));
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace oneline
