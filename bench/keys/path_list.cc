#include "bench/keys/path_list.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "bench/measure/measuring_program.h"

namespace oneline {

PathList::PathList(const std::string& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  void* bytes = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &info) == 0) {
    bytes = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ,
                 MAP_PRIVATE, fd, 0);
  }
  if (bytes == MAP_FAILED) Fail(file + " is empty or cannot be read");
  close(fd);
  mapped_ = {static_cast<const char*>(bytes),
             static_cast<size_t>(info.st_size)};
  std::string_view previous, rest = mapped_;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    // The last tab, because paths may contain tabs and names of packages do
    // not.
    const size_t tab = rest.substr(0, end).rfind('\t');
    if (tab == rest.npos || rest.substr(0, tab) <= previous) {
      Fail(absl::StrCat(file, ", line ", size() + 1,
                        ": must be path, tab, package, and the path greater "
                        "than that of the line before"));
    }
    previous = rest.substr(0, tab);
    lines_.push_back({rest.data(), static_cast<uint32_t>(tab),
                      static_cast<uint32_t>(end - tab - 1)});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

PathList::~PathList() {
  munmap(const_cast<char*>(mapped_.data()), mapped_.size());
}

size_t PathList::LowerBound(std::string_view wanted) const {
  const auto found = std::lower_bound(
      lines_.begin(), lines_.end(), wanted,
      [](const Line& line, std::string_view path) {
        return std::string_view(line.start, line.path_bytes) < path;
      });
  return static_cast<size_t>(found - lines_.begin());
}

}  // namespace oneline
