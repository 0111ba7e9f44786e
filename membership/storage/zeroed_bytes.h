// Memory for large filters: zeroed and aligned to a page. The system provides
// each page when it is first touched, and uses huge pages where it can, so that
// random lookups miss the TLB less often.

#ifndef ONELINE_MEMBERSHIP_STORAGE_ZEROED_BYTES_H_
#define ONELINE_MEMBERSHIP_STORAGE_ZEROED_BYTES_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"

namespace oneline {

class ZeroedBytes {
 public:
  // `size` bytes. ResourceExhausted if the system does not give them.
  // REQUIRES: size > 0.
  static absl::StatusOr<ZeroedBytes> Allocate(size_t size);

  ZeroedBytes(ZeroedBytes&& other) noexcept;
  ZeroedBytes& operator=(ZeroedBytes&& other) noexcept;
  ~ZeroedBytes();

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  ZeroedBytes(uint8_t* data, size_t size) : data_(data), size_(size) {}

  uint8_t* data_;
  size_t size_;
};

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_STORAGE_ZEROED_BYTES_H_
