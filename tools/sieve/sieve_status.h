// The line that tells how far `oneline sieve` is, drawn on a terminal only:
//
//   812345 lines/s, 2400000 read, 1200345 new, 5200345 seen, error rate 1.3e-05

#ifndef ONELINE_TOOLS_SIEVE_SIEVE_STATUS_H_
#define ONELINE_TOOLS_SIEVE_SIEVE_STATUS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "membership/urls/url_store.h"

namespace oneline {

class SieveStatus {
 public:
  // On standard error. Draws nothing for those who type their lines.
  explicit SieveStatus(const UrlStore& store);
  // Leaves the state at the end on the terminal, with the rate of the whole
  // run.
  ~SieveStatus();

  SieveStatus(const SieveStatus&) = delete;
  SieveStatus& operator=(const SieveStatus&) = delete;

  // Makes room on the terminal for something else that is printed there.
  void Hide();

  // So many lines more were read. The rate is that of the last second.
  void Update(uint64_t num_lines);

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(double lines_per_second);

  const UrlStore& store_;
  const int columns_;  // 0: no terminal
  const uint64_t seen_before_;
  uint64_t lines_ = 0;
  bool drawn_ = false;
  const Clock::time_point start_ = Clock::now();
  // When the rate was taken, and of how many lines.
  Clock::time_point rated_at_ = start_;
  uint64_t rated_lines_ = 0;
  double rate_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_SIEVE_STATUS_H_
