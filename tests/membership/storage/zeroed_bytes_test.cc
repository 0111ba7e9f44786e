#include "membership/storage/zeroed_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"

namespace oneline {
namespace {

TEST(ZeroedBytesTest, AreZeroAlignedAndMove) {
  for (size_t size : {size_t{1}, size_t{4097}, size_t{5} << 20}) {
    ZeroedBytes bytes = *ZeroedBytes::Allocate(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % 64, 0u);
    EXPECT_TRUE(std::all_of(bytes.data(), bytes.data() + size,
                            [](uint8_t byte) { return byte == 0; }));
    std::fill_n(bytes.data(), size, 0xff);
    ZeroedBytes other = *ZeroedBytes::Allocate(10);
    other = std::move(bytes);
    ASSERT_EQ(other.size(), size);
    EXPECT_EQ(other.data()[size - 1], 0xff);
  }
}

TEST(ZeroedBytesTest, TooLargeASizeIsAnError) {
  const absl::StatusOr<ZeroedBytes> bytes =
      ZeroedBytes::Allocate(size_t{1} << 60);
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(bytes.status().message(),
            "no memory for a filter of 1152921504606846976 bytes");
}

}  // namespace
}  // namespace oneline
