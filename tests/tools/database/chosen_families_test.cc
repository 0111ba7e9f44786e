#include "tools/database/chosen_families.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TEST(ChosenNamesTest, AreAllOrThoseNamed) {
  using Names = std::set<std::string>;
  const Names all = {"default", "a", "b", "a,b"};
  EXPECT_EQ(*ChosenNames(all, ""), all);
  EXPECT_EQ(*ChosenNames(all, "b,default"), (Names{"b", "default"}));
  EXPECT_EQ(*ChosenNames(all, "a,b"), Names{"a,b"});
  EXPECT_EQ(ChosenNames(all, "a,c").status().message(),
            "there is no column family 'c'");
}

}  // namespace
}  // namespace oneline
