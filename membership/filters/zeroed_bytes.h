// Memory for large filters: zeroed and aligned to a page. The system provides
// each page when it is first touched, and uses huge pages where it can, so that
// random lookups miss the TLB less often.

#ifndef ONELINE_MEMBERSHIP_FILTERS_ZEROED_BYTES_H_
#define ONELINE_MEMBERSHIP_FILTERS_ZEROED_BYTES_H_

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace oneline {

class ZeroedBytes {
 public:
  // `size` bytes. ResourceExhausted if the system does not give them.
  // REQUIRES: size > 0.
  static absl::StatusOr<ZeroedBytes> Allocate(size_t size) {
    void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
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
    return ZeroedBytes(static_cast<uint8_t*>(pages), size);
  }

  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return bytes_.get_deleter().size; }

 private:
  struct Unmap {
    size_t size;
    void operator()(uint8_t* bytes) const { munmap(bytes, size); }
  };

  ZeroedBytes(uint8_t* bytes, size_t size) : bytes_(bytes, Unmap{size}) {}

  std::unique_ptr<uint8_t[], Unmap> bytes_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_ZEROED_BYTES_H_
