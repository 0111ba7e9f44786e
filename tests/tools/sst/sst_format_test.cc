#include "tests/testing.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

const std::string kMagic = "\xf7\xcf\xf4\x85\xb7\x41\xe2\x88";
const std::string kOldMagic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";

std::string Varint(uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7) {
    text.push_back(static_cast<char>(number | 0x80));
  }
  text.push_back(static_cast<char>(number));
  return text;
}

// A file of 1000 bytes with these handles.
std::string FileWith(const std::vector<uint64_t>& handles, char version = 5) {
  std::string footer = "\x01";
  for (const uint64_t number : handles) footer += Varint(number);
  footer.resize(41);
  footer += std::string{version, 0, 0, 0} + kMagic;
  return std::string(1000 - footer.size(), 'x') + footer;
}

absl::StatusCode CodeOf(const std::string& contents) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("000001.sst");
  std::ofstream(path, std::ios::binary) << contents;
  return CheckSstFormat(path).code();
}

TEST(SstFormatTest, BlockBasedTables) {
  EXPECT_EQ(CodeOf(FileWith({800, 100, 0, 947})), absl::StatusCode::kOk);
  std::string old = FileWith({800, 100, 0, 947});
  old.replace(952, 48, old.substr(948, 40) + kOldMagic);
  EXPECT_EQ(CodeOf(old), absl::StatusCode::kOk);
}

TEST(SstFormatTest, OtherFilesAreRefused) {
  EXPECT_EQ(CodeOf(""), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf("text"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(std::string(1000, 'x')), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf("\x64\x95\xbf\x63\x96\x22\x42\x82"),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(CheckSstFormat("/nosuch").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(CheckSstFormat("/").code(), absl::StatusCode::kInvalidArgument);
}

TEST(SstFormatTest, BlocksAreInsideTheFile) {
  constexpr uint64_t kHuge = ~uint64_t{0};
  const std::vector<std::vector<uint64_t>> wrong = {
      {800, 100, 0, 1001},  {800, 201, 0, 947},   {1001, 0, 0, 947},
      {800, 100, kHuge, 2}, {800, 100, 2, kHuge}, {kHuge, kHuge, 0, 1}};
  for (const std::vector<uint64_t>& handles : wrong) {
    EXPECT_EQ(CodeOf(FileWith(handles)), absl::StatusCode::kDataLoss);
    // RocksDB has a checksum of these footers.
    EXPECT_EQ(CodeOf(FileWith(handles, 6)), absl::StatusCode::kOk);
  }
  // Varints that do not end.
  std::string endless = FileWith({800, 100, 0, 947});
  endless.replace(948, 40, 40, '\xff');
  EXPECT_EQ(CodeOf(endless), absl::StatusCode::kDataLoss);
  EXPECT_EQ(CodeOf(kMagic), absl::StatusCode::kOk);  // no handle, no size
}

}  // namespace
}  // namespace oneline
