// The findings of `oneline doctor` as metrics.

#ifndef ONELINE_TOOLS_DOCTOR_DIAGNOSIS_PROMETHEUS_H_
#define ONELINE_TOOLS_DOCTOR_DIAGNOSIS_PROMETHEUS_H_

#include <string>

#include "tools/doctor/diagnosis.h"
#include "tools/text/prometheus_text.h"

namespace oneline {

// Adds what was found in the database at `path`.
void AddMetrics(const std::string& path, const Diagnosis& diagnosis,
                PrometheusText* metrics);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DIAGNOSIS_PROMETHEUS_H_
