#include "tools/text/prometheus_text.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace oneline {
namespace {

// The format has three escapes, \\, \" and \n. This leaves two of them to do.
std::string Quoted(const std::string& value) {
  return absl::StrCat("\"",
                      absl::StrReplaceAll(absl::CHexEscape(value),
                                          {{"\\", "\\\\"}, {"\"", "\\\""}}),
                      "\"");
}

}  // namespace

void PrometheusText::Add(const std::string& name, const std::string& help,
                         const Labels& labels, double value) {
  gauges_[{name, help}]
         [absl::StrJoin(labels, ",", [](std::string* out, const auto& label) {
           absl::StrAppend(out, label.first, "=", Quoted(label.second));
         })] += value;
}

std::string PrometheusText::Text() const {
  std::string text;
  for (const auto& [gauge, values] : gauges_) {
    const auto& [name, help] = gauge;
    absl::StrAppend(&text, "# HELP ", name, " ", help, "\n# TYPE ", name,
                    " gauge\n");
    for (const auto& [labels, value] : values) {
      absl::StrAppendFormat(&text, "%s{%s} %.17g\n", name, labels, value);
    }
  }
  return text;
}

}  // namespace oneline
