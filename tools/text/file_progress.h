// How far the reading of one file is, as part of many: the unit of a Progress
// is a byte of all files then, and a file's bytes go by as its entries do.

#ifndef ONELINE_TOOLS_TEXT_FILE_PROGRESS_H_
#define ONELINE_TOOLS_TEXT_FILE_PROGRESS_H_

#include <algorithm>
#include <cstdint>

#include "tools/text/progress.h"

namespace oneline {

class FileProgress {
 public:
  FileProgress(Progress* progress, uint64_t bytes)
      : progress_(progress), bytes_(bytes) {}

  // What is left of the file is done with.
  ~FileProgress() { progress_->Advance(bytes_ - told_); }

  FileProgress(const FileProgress&) = delete;
  FileProgress& operator=(const FileProgress&) = delete;

  // `entries` more were read of a file that has `all`.
  void Advance(uint64_t entries, uint64_t all) {
    if (all == 0) return;
    read_ = std::min(read_ + entries, all);
    const auto now = static_cast<uint64_t>(static_cast<double>(read_) /
                                           static_cast<double>(all) *
                                           static_cast<double>(bytes_));
    if (now <= told_) return;
    progress_->Advance(now - told_);
    told_ = now;
  }

 private:
  Progress* const progress_;
  const uint64_t bytes_;
  uint64_t read_ = 0;
  uint64_t told_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_FILE_PROGRESS_H_
