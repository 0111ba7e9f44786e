// Tests of filter_policy/options/kind_traits.h.

#include "filter_policy/options/kind_traits.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/match.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "tests/run_program.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

TEST(KindTraitsTest, EachKindHasItsRow) {
  EXPECT_EQ(FindKind(Kind::kBloom), FindKind("bloom"));
  EXPECT_EQ(FindKind(Kind::kRibbon), FindKind("ribbon"));
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    ASSERT_NE(FindKind(kind), nullptr);
    EXPECT_EQ(KindOf(*FindKind(kind)), kind);
  }
}

// With a filter of that kind in RocksDB's crash test.
TEST(KindTraitsTest, EachRowIsAValueOfTheOption) {
  constexpr char kStress[] = "tests/rocksdb/stressed_database.cc";
  const std::string stress = ReadWholeFile(kStress);
  for (const KindTraits* row : AllKinds()) {
    const std::string name = row->name;
    FilterOptions options;
    EXPECT_EQ(SetOption("kind", name, &options), "");
    EXPECT_EQ(options.kind, KindOf(*row));
    EXPECT_TRUE(absl::StrContains(FindOption("kind")->bounds, name))
        << name << ": not in the bounds of the option kind";
    EXPECT_TRUE(absl::StrContains(stress, "\"" + name + "\""))
        << name << ": not in " << kStress;
  }
}

TEST(KindTraitsTest, OtherNumbersHaveNone) {
  for (int number : {0, AllKinds().back()->id + 1, 255}) {
    EXPECT_EQ(FindKind(static_cast<Kind>(number)), nullptr) << number;
  }
}

}  // namespace
}  // namespace oneline
