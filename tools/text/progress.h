// Shows how far a long command is: on a terminal a bar, one line redrawn in
// place; elsewhere (a file, a pipe) a plain line for each stage.
//
//   loading 3 databases [==============                    ]  43%  0:21
//   loading 3 databases ... 24.6 s

#ifndef ONELINE_TOOLS_TEXT_PROGRESS_H_
#define ONELINE_TOOLS_TEXT_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace oneline {

// Thread-safe. Call order: (Begin Advance* End?)*
class Progress {
 public:
  // `out` is normally stderr, so that the result on stdout can be piped on.
  explicit Progress(FILE* out);

  // The same for a terminal of so many columns; 0 is no terminal.
  Progress(FILE* out, int columns);

  // Leaves the cursor at the start of a line, so that an error message that
  // follows stands alone.
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Starts a stage of `total` units of work, ending the one before it.
  void Begin(std::string stage, uint64_t total);

  // `amount` more units are done. Cheap enough for every thousandth key, not
  // for every one.
  void Advance(uint64_t amount);

  // Ends the stage, if there is one: done with all units.
  void End();

 private:
  using Clock = std::chrono::steady_clock;

  void EndLocked();
  void Draw(Clock::time_point now);

  std::mutex mutex_;
  FILE* const out_;
  const int columns_;
  std::string stage_;  // empty between stages
  uint64_t total_ = 0;
  uint64_t done_ = 0;
  Clock::time_point started_;
  Clock::time_point drawn_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PROGRESS_H_
