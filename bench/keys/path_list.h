// The data of the demo: a list of file paths and the packages they belong to,
// which bench/keys/debian_paths.sh makes.
//
//   (path '\t' packages '\n')*      strictly increasing by path, byte by byte

#ifndef ONELINE_BENCH_KEYS_PATH_LIST_H_
#define ONELINE_BENCH_KEYS_PATH_LIST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/keys/records.h"

namespace oneline {

// Immutable and thread-safe. The views live as long as the list.
class PathList final : public Records {
 public:
  // Maps the file into memory and finds its lines. InvalidArgument, naming the
  // file and the line, if it can't be read or is not such a list.
  static absl::StatusOr<PathList> Load(const std::string& file);

  size_t size() const override { return lines_.size(); }
  std::string_view path(size_t i) const {
    return {lines_[i].start, lines_[i].path_bytes};
  }
  std::string_view package(size_t i) const {
    return {lines_[i].start + lines_[i].path_bytes + 1,
            lines_[i].package_bytes};
  }
  std::string_view key(size_t i) const override { return path(i); }
  std::string_view value(size_t i) const override { return package(i); }

  // The index of the first path that is not less than `path`; size() if none.
  size_t LowerBound(std::string_view path) const;
  bool Contains(std::string_view path) const;

 private:
  struct Line {
    const char* start;
    uint32_t path_bytes;
    uint32_t package_bytes;
  };

  absl::Status FindLines(const std::string& file, std::string_view text);

  std::shared_ptr<const char> mapping_;
  std::vector<Line> lines_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_PATH_LIST_H_
