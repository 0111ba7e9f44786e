// Tests of oneline/version.h: its parts say the same.

#include "oneline/version.h"

#include "tests/testing.h"

namespace oneline {
namespace {

#define ONELINE_TEXT_OF(name) #name
#define ONELINE_TEXT(macro) ONELINE_TEXT_OF(macro)

TEST(VersionTest, AllPartsAreTheSame) {
  const std::string minor = ONELINE_TEXT(
      ONELINE_VERSION_MAJOR) "." ONELINE_TEXT(ONELINE_VERSION_MINOR);
  EXPECT_EQ(minor + "." ONELINE_TEXT(ONELINE_VERSION_PATCH), ONELINE_VERSION);
  EXPECT_STREQ(Version(), ONELINE_VERSION);
  EXPECT_STREQ(ONELINE_TEXT(ONELINE_ABI),
               "v" ONELINE_TEXT(ONELINE_VERSION_MAJOR) "_" ONELINE_TEXT(
                   ONELINE_VERSION_MINOR));
}

}  // namespace
}  // namespace oneline
