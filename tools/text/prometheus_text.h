// Metrics in the text format that Prometheus reads.

#ifndef ONELINE_TOOLS_TEXT_PROMETHEUS_TEXT_H_
#define ONELINE_TOOLS_TEXT_PROMETHEUS_TEXT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace oneline {

class PrometheusText {
 public:
  // Names and values.
  using Labels = std::vector<std::pair<std::string, std::string>>;

  // Adds `value` to the gauge `name` with these labels. `help` is one line,
  // always the same for one name. Values of labels may be any bytes: those that
  // are not printable ASCII, and quotes and backslashes, become C's escapes, so
  // that different values stay different.
  void Add(const std::string& name, const std::string& help,
           const Labels& labels, double value);

  // All samples, those of one gauge together, each series once.
  std::string Text() const;

 private:
  // By name and help, then by the labels as text.
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>>
      gauges_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_PROMETHEUS_TEXT_H_
