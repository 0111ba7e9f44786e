// Tests of ReadStatus of tools/sst/sst_reader.h.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

using rocksdb::Status;

TEST(ReadStatusTest, TellsDamageFromWhatTheSystemRefused) {
  for (const int error : {EMFILE, EACCES, ENOMEM}) {
    EXPECT_TRUE(absl::IsUnavailable(ReadStatus(
        Status::IOError("While open a file for random read: db/000009.sst",
                        std::strerror(error)))));
  }
  EXPECT_TRUE(absl::IsUnavailable(ReadStatus(Status::MemoryLimit())));
  for (const int error : {EIO, EINVAL}) {
    EXPECT_TRUE(absl::IsDataLoss(ReadStatus(
        Status::IOError("While pread offset 7", std::strerror(error)))));
  }
  EXPECT_TRUE(absl::IsDataLoss(ReadStatus(Status::Corruption("bad block"))));
  EXPECT_TRUE(absl::IsDataLoss(
      ReadStatus(Status::Corruption("bad block", std::strerror(EMFILE)))));
}

}  // namespace
}  // namespace oneline
