// What doctor finds, as metrics.

#ifndef ONELINE_TOOLS_DOCTOR_METRICS_H_
#define ONELINE_TOOLS_DOCTOR_METRICS_H_

#include <map>
#include <string>

#include "tools/doctor/finding.h"

namespace oneline {

// In the text format that Prometheus reads.
class Metrics {
 public:
  // What was found in the database at `path`; or that it was not examined.
  void Add(const std::string& path, const Findings& findings);
  void AddNotExamined(const std::string& path);

  std::string Text() const;

 private:
  using Samples = std::map<std::string, double>;  // of one gauge, by labels

  Samples examined_, findings_, tables_, problems_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_METRICS_H_
