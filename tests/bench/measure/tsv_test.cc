// Tests of bench/measure/tsv.h.

#include "bench/measure/tsv.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

class TsvTest : public testing::Test {
 protected:
  absl::StatusOr<TsvTable> Read(const std::string& text) {
    std::ofstream(path_) << text;
    return ReadTsv(path_);
  }

  const TemporaryDirectory directory_;
  const std::string path_ = directory_.File("table.tsv");
};

TEST_F(TsvTest, WhatWasWrittenIsRead) {
  const TsvTable table = {{"a", "b"}, {{"1", "two words"}, {"", "4"}}};
  ASSERT_TRUE(WriteTsv(table, path_).ok());
  const auto read = ReadTsv(path_);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->columns, table.columns);
  EXPECT_EQ(read->rows, table.rows);
  EXPECT_EQ(read->FindColumn("b"), 1u);
  EXPECT_EQ(read->FindColumn("c"), 2u);
}

TEST_F(TsvTest, RefusesTablesThatWouldNotBeReadBackTheSame) {
  const TsvTable good = {{"a"}, {{"1"}}};
  ASSERT_TRUE(WriteTsv(good, path_).ok());
  for (const TsvTable& bad :
       {TsvTable{{"a"}, {{"1", "2"}}}, TsvTable{{"a"}, {{"1\t2"}}},
        TsvTable{{"a"}, {{"1\n2"}}}}) {
    EXPECT_FALSE(WriteTsv(bad, path_).ok());
  }
  EXPECT_EQ(ReadTsv(path_)->rows, good.rows);
}

TEST_F(TsvTest, AFileThatCannotBeWrittenIsAnError) {
  const absl::Status status =
      WriteTsv({{"a"}, {}}, directory_.File("no such directory/table.tsv"));
  EXPECT_TRUE(absl::StrContains(std::string(status.message()), "cannot write"))
      << status;
}

TEST_F(TsvTest, RefusesTruncatedFiles) {
  EXPECT_FALSE(Read("a\tb\n1").ok());
  EXPECT_FALSE(Read("a\tb\n1\n").ok());
  EXPECT_FALSE(ReadTsv(directory_.File("none")).ok());
  EXPECT_TRUE(Read("a\tb\n1\t2\n").ok());
}

TEST(TsvNumberTest, HasSixDigitsOrAllBeforeTheDecimalPoint) {
  EXPECT_EQ(TsvNumber(0.123456789), "0.123457");
  EXPECT_EQ(TsvNumber(10), "10");
  EXPECT_EQ(TsvNumber(1234567.8), "1234568");
  EXPECT_EQ(TsvNumber(1e-9), "1e-09");
}

}  // namespace
}  // namespace oneline
