#include "tools/text/prometheus_text.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TEST(PrometheusTextTest, SamplesOfOneGaugeStandTogetherAndOnce) {
  PrometheusText metrics;
  metrics.Add("oneline_b", "The second.", {{"db", "x"}, {"level", "0"}}, 0.25);
  metrics.Add("oneline_a", "The first.", {{"db", "y"}}, 1e15);
  metrics.Add("oneline_b", "The second.", {{"db", "w"}, {"level", "0"}}, 2);
  metrics.Add("oneline_b", "The second.", {{"db", "x"}, {"level", "0"}}, 1);
  EXPECT_EQ(metrics.Text(),
            "# HELP oneline_a The first.\n"
            "# TYPE oneline_a gauge\n"
            "oneline_a{db=\"y\"} 1000000000000000\n"
            "# HELP oneline_b The second.\n"
            "# TYPE oneline_b gauge\n"
            "oneline_b{db=\"w\",level=\"0\"} 2\n"
            "oneline_b{db=\"x\",level=\"0\"} 1.25\n");
  EXPECT_EQ(PrometheusText().Text(), "");
}

// Lines must not break, and a byte that is no UTF-8 is an error for all that
// the file has.
TEST(PrometheusTextTest, LabelsMayBeAnyBytes) {
  PrometheusText metrics;
  metrics.Add("a", "A.", {{"l", "\"\\\n\xff"}}, 1);
  metrics.Add("a", "A.", {{"l", "\\xff"}}, 2);
  metrics.Add("a", "A.", {{"l", "\xff"}}, 3);
  EXPECT_EQ(metrics.Text(), R"(# HELP a A.
# TYPE a gauge
a{l="\\\"\\\\\\n\\xff"} 1
a{l="\\\\xff"} 2
a{l="\\xff"} 3
)");
}

}  // namespace
}  // namespace oneline
