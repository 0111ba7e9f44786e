// The share of one file in the progress of reading many. The Progress counts
// the bytes of all files; those of one file advance in proportion to its
// entries.

#ifndef ONELINE_TOOLS_TEXT_FILE_PROGRESS_H_
#define ONELINE_TOOLS_TEXT_FILE_PROGRESS_H_

#include <algorithm>
#include <cstdint>

#include "tools/text/progress.h"

namespace oneline {

// Not thread-safe, but many of them may share a Progress.
class FileProgress {
 public:
  // `bytes` is the size of the file. Refers to `progress`, which must outlive
  // it.
  FileProgress(Progress* progress, uint64_t bytes)
      : progress_(progress), bytes_(bytes) {}

  // Counts the rest of the file as done.
  ~FileProgress() { progress_->Advance(bytes_ - reported_); }

  FileProgress(const FileProgress&) = delete;
  FileProgress& operator=(const FileProgress&) = delete;

  // `entries` more entries were read of a file that has `all`.
  void Advance(uint64_t entries, uint64_t all) {
    if (all == 0) return;
    read_ = std::min(read_ + entries, all);
    const auto done = static_cast<uint64_t>(static_cast<double>(read_) /
                                            static_cast<double>(all) *
                                            static_cast<double>(bytes_));
    if (done <= reported_) return;
    progress_->Advance(done - reported_);
    reported_ = done;
  }

 private:
  Progress* const progress_;
  const uint64_t bytes_;
  uint64_t read_ = 0;      // entries
  uint64_t reported_ = 0;  // bytes, to progress_
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_FILE_PROGRESS_H_
