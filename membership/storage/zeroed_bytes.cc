#include "membership/storage/zeroed_bytes.h"

#include <sys/mman.h>

#include <cassert>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace oneline {

absl::StatusOr<ZeroedBytes> ZeroedBytes::Allocate(size_t size) {
  assert(size > 0);
  void *const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for a filter of ", size, " bytes"));
  }
#if defined(MADV_HUGEPAGE)
  // Only a hint; without huge pages lookups are slower.
  constexpr size_t kHugePage = size_t{2} << 20;
  if (size >= 2 * kHugePage) madvise(pages, size, MADV_HUGEPAGE);
#endif
  return ZeroedBytes(static_cast<uint8_t *>(pages), size);
}

void ZeroedBytes::Unmap::operator()(uint8_t *bytes) const {
  munmap(bytes, size);
}

}  // namespace oneline
