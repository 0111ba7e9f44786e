// The data of the demo: a list of file paths and the packages they belong to,
// which bench/keys/debian_paths.sh makes.
//
//   (path '\t' packages '\n')*      strictly increasing by path, byte by byte

#ifndef ONELINE_BENCH_KEYS_PATH_LIST_H_
#define ONELINE_BENCH_KEYS_PATH_LIST_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/keys/records.h"

namespace oneline {

// Immutable and thread-safe. The views live as long as the list.
class PathList final : public Records {
 public:
  // Maps the file into memory and finds its lines. Ends the program if it can't
  // be read or is not such a list.
  explicit PathList(const std::string& file);
  ~PathList() override;
  PathList(const PathList&) = delete;
  PathList& operator=(const PathList&) = delete;

  size_t size() const override { return lines_.size(); }
  std::string_view key(size_t i) const override {
    return {lines_[i].start, lines_[i].path_bytes};
  }
  std::string_view value(size_t i) const override {
    return {lines_[i].start + lines_[i].path_bytes + 1, lines_[i].value_bytes};
  }

  // The index of the first path that is not less than `path`; size() if none.
  size_t LowerBound(std::string_view path) const;
  bool Contains(std::string_view path) const {
    const size_t i = LowerBound(path);
    return i < size() && key(i) == path;
  }

 private:
  struct Line {
    const char* start;
    uint32_t path_bytes;
    uint32_t value_bytes;
  };

  std::string_view mapped_;
  std::vector<Line> lines_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_PATH_LIST_H_
