// Shows the progress of a long command: on a terminal a bar that is redrawn in
// place; in a file or a pipe a plain line for each stage.
//
//   loading 3 databases [==============                    ]  43%  0:21
//   loading 3 databases ... 24.6 s

#ifndef ONELINE_TOOLS_TEXT_PROGRESS_H_
#define ONELINE_TOOLS_TEXT_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>

namespace oneline {

// Thread-safe. Call order: (Begin Advance* End?)*
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // `out` is normally stderr, which keeps stdout free for the result.
  explicit Progress(FILE* out);

  // For tests: a terminal with so many columns, or none, and another clock.
  Progress(FILE* out, int columns,
           std::function<Clock::time_point()> now = &Clock::now);

  // Leaves the cursor at the start of a line, for an error message.
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Starts a stage of `total` units of work; ends the current one. Of bytes it
  // also shows their rate and the time that the rest will take.
  void Begin(std::string stage, uint64_t total, bool are_bytes = false);

  // Counts `amount` more units as done. Takes a lock: not for every key.
  void Advance(uint64_t amount);

  // Ends the current stage, if there is one.
  void End();

 private:
  void Draw(Clock::time_point now);

  std::mutex mutex_;
  FILE* const out_;
  const int columns_;
  const std::function<Clock::time_point()> now_;
  std::string stage_;  // empty between stages
  bool are_bytes_ = false;
  uint64_t total_ = 0, done_ = 0;
  Clock::time_point started_, drawn_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PROGRESS_H_
