// Holds the examples of docs/internals/format.md to what the code writes.

#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/short_block/short_block.h"
#include "tests/testing.h"

namespace oneline {
namespace {

constexpr std::string_view kKeys[] = {"apple", "banana", "cherry"};

// As the page shows them: two digits for each byte, and blanks between them.
std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    char digits[4];
    std::snprintf(digits, sizeof(digits), " %02x",
                  static_cast<unsigned char>(byte));
    text += digits;
  }
  return text.substr(1);
}

// `mark`: what stands before them.
void ExpectShown(std::string_view bytes, const std::string& mark = "\n    ") {
  EXPECT_NE(ReadWholeFile("docs/internals/format.md").find(mark + Hex(bytes)),
            std::string::npos)
      << Hex(bytes);
}

std::string BlockOf(std::string_view kind) {
  FilterBlockBuilder builder(*FindKind(kind), 10, 0x0123456789abcdef);
  for (std::string_view key : kKeys) builder.AddKey(key);
  return std::string(builder.Finish().view());
}

TEST(FormatPageTest, ShowsABloomBlock) {
  const std::string block = BlockOf("bloom");
  const std::string_view bytes = block;
  ASSERT_EQ(bytes.size(), 96u);
  size_t at = 0;
  for (const size_t length : {16, 16, 16, 16, 8, 8, 3, 4, 4, 5}) {
    ExpectShown(bytes.substr(at, length));
    at += length;
  }
  EXPECT_EQ(at, bytes.size());
}

TEST(FormatPageTest, ShowsARibbonLineAndWhatDiffersInItsTrailer) {
  const std::string block = BlockOf("ribbon");
  const std::string_view bytes = block;
  EXPECT_EQ(bytes.substr(0, 48), "\x10" + std::string(47, '\0'));
  ExpectShown(bytes.substr(48, 16));
  ExpectShown(bytes.substr(80, 3), "`");
  ExpectShown(bytes.substr(87, 4), "`");
}

TEST(FormatPageTest, ShowsAShortBlock) {
  std::vector<uint64_t> hashes;
  for (std::string_view key : kKeys) hashes.push_back(KeyHash(key, 0));
  std::string block;
  AppendShortBlock(*FindKind("ribbon"), 10, &hashes, &block);
  ASSERT_EQ(block.size(), 9u);
  ExpectShown(block.substr(0, 8));
  ExpectShown(block.substr(8));
}

}  // namespace
}  // namespace oneline
