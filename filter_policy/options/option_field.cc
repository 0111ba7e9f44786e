#include "filter_policy/options/option_field.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

}  // namespace

bool ParseValue(std::string_view text, double* value) {
  return absl::SimpleAtod(Absl(text), value);
}

bool ParseValue(std::string_view text, int* value) {
  return absl::SimpleAtoi(Absl(text), value);
}

bool ParseValue(std::string_view text, uint64_t* value) {
  return absl::SimpleAtoi(Absl(text), value);
}

bool ParseValue(std::string_view text, Kind* value) {
  const KindTraits* kind = FindKind(text);
  if (kind != nullptr) *value = KindOf(*kind);
  return kind != nullptr;
}

bool ParseValue(std::string_view text, Allocation* value) {
  *value = text == "monkey" ? Allocation::kMonkey : Allocation::kUniform;
  return text == "monkey" || text == "uniform";
}

bool ParseValue(std::string_view text, std::vector<double>* value) {
  for (const absl::string_view part : absl::StrSplit(Absl(text), ':')) {
    double number;
    if (!absl::SimpleAtod(part, &number)) return false;
    value->push_back(number);
  }
  return true;
}

std::string ValueText(double value) { return absl::StrCat(value); }

std::string ValueText(int value) { return absl::StrCat(value); }

std::string ValueText(uint64_t value) { return absl::StrCat(value); }

std::string ValueText(Kind value) {
  const KindTraits* kind = FindKind(value);
  return kind == nullptr ? absl::StrCat(static_cast<int>(value)) : kind->name;
}

std::string ValueText(Allocation value) {
  switch (value) {
    case Allocation::kUniform:
      return "uniform";
    case Allocation::kMonkey:
      return "monkey";
  }
  return absl::StrCat(static_cast<int>(value));
}

std::string ValueText(const std::vector<double>& value) {
  return absl::StrJoin(value, ":");
}

}  // namespace oneline
