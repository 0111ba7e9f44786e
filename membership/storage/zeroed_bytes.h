// Memory for large filters: zeroed and aligned to a page. The system provides
// each page when it is first touched, and uses huge pages where it can, so that
// random lookups miss the TLB less often.

#ifndef ONELINE_MEMBERSHIP_STORAGE_ZEROED_BYTES_H_
#define ONELINE_MEMBERSHIP_STORAGE_ZEROED_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"

namespace oneline {

class ZeroedBytes {
 public:
  // `size` bytes. ResourceExhausted if the system does not give them.
  // REQUIRES: size > 0.
  static absl::StatusOr<ZeroedBytes> Allocate(size_t size);

  uint8_t *data() { return bytes_.get(); }
  const uint8_t *data() const { return bytes_.get(); }
  size_t size() const { return bytes_.get_deleter().size; }

 private:
  struct Unmap {
    size_t size;
    void operator()(uint8_t *bytes) const;
  };

  ZeroedBytes(uint8_t *bytes, size_t size) : bytes_(bytes, Unmap{size}) {}

  std::unique_ptr<uint8_t[], Unmap> bytes_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_STORAGE_ZEROED_BYTES_H_
