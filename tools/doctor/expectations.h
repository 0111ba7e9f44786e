// The filter policies that the user says a database should have: --expect.

#ifndef ONELINE_TOOLS_DOCTOR_EXPECTATIONS_H_
#define ONELINE_TOOLS_DOCTOR_EXPECTATIONS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

enum class ExpectedPolicy { kUnknown, kOneline, kNone };

class Expectations {
 public:
  // Each text is "oneline" or "none", for all column families that no other
  // text names, or "<column family>:oneline" or "<column family>:none".
  // InvalidArgument for other texts.
  static absl::StatusOr<Expectations> Parse(
      const std::vector<std::string>& texts);

  ExpectedPolicy For(const std::string& column_family) const;
  const std::map<std::string, ExpectedPolicy>& by_family() const {
    return by_family_;
  }

 private:
  ExpectedPolicy of_others_ = ExpectedPolicy::kUnknown;
  std::map<std::string, ExpectedPolicy> by_family_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_EXPECTATIONS_H_
