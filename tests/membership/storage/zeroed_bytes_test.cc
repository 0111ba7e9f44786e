#include "membership/storage/zeroed_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"

namespace oneline {
namespace {

TEST(ZeroedBytesTest, AreZeroAlignedAndWritable) {
  for (size_t size : {size_t{1}, size_t{64}, size_t{4097}, size_t{5} << 20}) {
    absl::StatusOr<ZeroedBytes> bytes = ZeroedBytes::Allocate(size);
    ASSERT_TRUE(bytes.ok());
    ASSERT_EQ(bytes->size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes->data()) % 64, 0u);
    EXPECT_TRUE(std::all_of(bytes->data(), bytes->data() + size,
                            [](uint8_t byte) { return byte == 0; }));
    std::fill_n(bytes->data(), size, 0xff);
  }
}

TEST(ZeroedBytesTest, Moves) {
  ZeroedBytes a = *ZeroedBytes::Allocate(100);
  a.data()[99] = 7;
  ZeroedBytes b(std::move(a));
  EXPECT_EQ(b.data()[99], 7);
  ZeroedBytes c = *ZeroedBytes::Allocate(10);
  c = std::move(b);
  EXPECT_EQ(c.size(), 100u);
  EXPECT_EQ(c.data()[99], 7);
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
