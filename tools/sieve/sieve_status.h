// The progress line of `oneline sieve`, drawn on terminals only:
//
//   812345 lines/s, 2400000 read, 1200345 new, 5200345 seen, error rate 1.3e-05

#ifndef ONELINE_TOOLS_SIEVE_SIEVE_STATUS_H_
#define ONELINE_TOOLS_SIEVE_SIEVE_STATUS_H_

#include <chrono>
#include <cstdint>

#include "membership/urls/url_store.h"

namespace oneline {

// Not thread-safe.
class SieveStatus {
 public:
  // Draws on standard error, if that is a terminal and standard input is not:
  // it would disturb a user who types lines. Refers to the store, which must
  // outlive it.
  explicit SieveStatus(const UrlStore& store);
  // Draws the final state, with the mean rate of the whole run, and leaves it
  // on the terminal.
  ~SieveStatus();

  SieveStatus(const SieveStatus&) = delete;
  SieveStatus& operator=(const SieveStatus&) = delete;

  // Erases the line, so that something else can be printed on the terminal.
  void Hide();

  // Counts `num_lines` more lines read, and redraws the line once a second with
  // the rate of that second.
  void Update(uint64_t num_lines);

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(double lines_per_second);

  const UrlStore& store_;
  const int columns_;  // 0: draws nothing
  const uint64_t seen_before_;
  uint64_t lines_ = 0;
  bool drawn_ = false;
  const Clock::time_point start_ = Clock::now();
  // When the rate was last computed, and the lines read until then.
  Clock::time_point rated_at_ = start_;
  uint64_t rated_lines_ = 0;
  double rate_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_SIEVE_STATUS_H_
