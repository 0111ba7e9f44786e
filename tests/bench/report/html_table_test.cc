// Tests of bench/report/html_table.h.

#include "bench/report/html_table.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TsvTable Example() {
  TsvTable table;
  table.columns = {"records", "reads", "filter", "ns", "ns_lower", "ns_upper"};
  table.rows = {{"5", "disk", "a<b", "1.23456", "1", "2"},
                {"5", "disk", "a<b", "12345.6", "", ""},
                {"5", "disk", "c", "2", "1", "3"},
                {"5", "cache", "c", "2", "1", "3"}};
  return table;
}

TEST(HtmlTableTest, ATableForEachHeadingAndALineAboveEachNewValue) {
  const auto html =
      HtmlTables(Example(), {"records", "reads"},
                 {{"filter", "filter", false}, {"ns", "time", true}});
  ASSERT_TRUE(html.ok()) << html.status();
  EXPECT_EQ(*html,
            "<h3>5 records, blocks from disk</h3>\n"
            "<table><tr><th class=text>filter</th><th>time</th></tr>\n"
            "<tr class=first><td class=text>a&lt;b</td><td>1.235 "
            "<span class=spread>1&ndash;2</span></td></tr>\n"
            "<tr><td class=text>a&lt;b</td><td>12346</td></tr>\n"
            "<tr class=first><td class=text>c</td><td>2 "
            "<span class=spread>1&ndash;3</span></td></tr>\n"
            "</table>\n"
            "<h3>5 records, blocks from cache</h3>\n"
            "<table><tr><th class=text>filter</th><th>time</th></tr>\n"
            "<tr><td class=text>c</td><td>2 "
            "<span class=spread>1&ndash;3</span></td></tr>\n"
            "</table>\n");
}

TEST(HtmlTableTest, ErrorsNameMissingColumns) {
  for (const auto& html :
       {HtmlTables(Example(), {"size"}, {{"filter", "filter", false}}),
        HtmlTables(Example(), {}, {{"size", "size", false}}),
        HtmlTables(Example(), {}, {{"reads", "reads", true}})}) {
    ASSERT_FALSE(html.ok());
    EXPECT_EQ(html.status().message().find("there is no column '"), 0u);
  }
}

TEST(HtmlTableTest, WithoutRowsThereIsNoTable) {
  TsvTable table = Example();
  table.rows.clear();
  EXPECT_EQ(*HtmlTables(table, {}, {{"filter", "filter", false}}), "");
}

}  // namespace
}  // namespace oneline
