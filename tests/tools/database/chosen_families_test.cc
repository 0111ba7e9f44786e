#include "tools/database/chosen_families.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace oneline {
namespace {

using Names = std::set<std::string>;

TEST(ChosenNamesTest, AreAllOrThoseNamed) {
  const Names all = {"default", "a", "b", "a,b"};
  EXPECT_EQ(*ChosenNames(all, ""), all);
  EXPECT_EQ(*ChosenNames(all, "b"), Names{"b"});
  EXPECT_EQ(*ChosenNames(all, "b,default"), (Names{"b", "default"}));
  EXPECT_EQ(*ChosenNames(all, "a,b"), Names{"a,b"});
}

TEST(ChosenNamesTest, ANameThatIsNotThereIsAnError) {
  EXPECT_EQ(ChosenNames({"default", "a"}, "a,c").status().message(),
            "there is no column family 'c'");
}

}  // namespace
}  // namespace oneline
