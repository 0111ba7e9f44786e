#include "bench/keys/path_list.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

absl::Status SystemError(const std::string& what, const std::string& file) {
  return absl::InvalidArgumentError(
      absl::StrCat("cannot ", what, " ", file, ": ", strerror(errno)));
}

absl::Status LineError(const std::string& file, size_t line,
                       const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat(file, ", line ", line, ": ", what));
}

}  // namespace

absl::StatusOr<PathList> PathList::Load(const std::string& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError("open", file);
  struct stat info {};
  void* bytes = MAP_FAILED;
  size_t size = 0;
  if (fstat(fd, &info) == 0) {
    size = static_cast<size_t>(info.st_size);
    bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  }
  absl::Status status;
  if (bytes == MAP_FAILED) {
    status = size == 0 ? absl::InvalidArgumentError(file + " is empty")
                       : SystemError("map", file);
  }
  close(fd);
  if (!status.ok()) return status;

  PathList list;
  list.mapping_.reset(static_cast<const char*>(bytes), [size](const char* p) {
    munmap(const_cast<char*>(p), size);
  });
  status = list.FindLines(file, {list.mapping_.get(), size});
  if (!status.ok()) return status;
  return list;
}

absl::Status PathList::FindLines(const std::string& file,
                                 std::string_view text) {
  std::string_view previous;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == text.npos || end > std::numeric_limits<uint32_t>::max()) {
      return LineError(file, size() + 1, "does not end with a line feed");
    }
    // The last tab, because paths may contain tabs and names of packages do
    // not.
    const size_t tab = text.substr(0, end).rfind('\t');
    if (tab == text.npos || tab == 0) {
      return LineError(file, size() + 1, "must be path, tab, package");
    }
    const std::string_view path = text.substr(0, tab);
    if (path <= previous) {
      return LineError(file, size() + 1,
                       "the path must be greater than that of the line before");
    }
    previous = path;
    lines_.push_back({text.data(), static_cast<uint32_t>(tab),
                      static_cast<uint32_t>(end - tab - 1)});
    text.remove_prefix(end + 1);
  }
  return absl::OkStatus();
}

size_t PathList::LowerBound(std::string_view wanted) const {
  size_t first = 0;
  size_t count = size();
  while (count > 0) {
    const size_t half = count / 2;
    if (path(first + half) < wanted) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

bool PathList::Contains(std::string_view wanted) const {
  const size_t i = LowerBound(wanted);
  return i < size() && path(i) == wanted;
}

}  // namespace oneline
