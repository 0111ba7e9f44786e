#include "bench/comparison/database.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

// Keys and values may be any bytes, and long.
std::string Shown(std::string_view bytes) {
  constexpr size_t kMaxShown = 40;
  const std::string text =
      absl::CHexEscape(std::string(bytes.substr(0, kMaxShown)));
  return bytes.size() <= kMaxShown ? text : text + "...";
}

std::string Shown(const std::optional<std::string_view>& value) {
  return value.has_value() ? absl::StrCat("'", Shown(*value), "'")
                           : "not found";
}

}  // namespace

absl::Status Database::MultiGet(const Lookup*, size_t) {
  return Error("this database cannot look up several keys at once");
}

absl::Status Database::SeekPrefix(const Lookup&) {
  return Error("this database cannot look up prefixes");
}

double Database::filter_bits_per_key() const {
  return 8 * static_cast<double>(filter_bytes_) / static_cast<double>(entries_);
}

absl::Status Database::Error(const std::string& what) const {
  return absl::InternalError(absl::StrCat("database '", name(), "': ", what));
}

absl::Status Database::AddFilter(const std::string& table, uint64_t bytes,
                                 const std::string& policy,
                                 const std::string& wanted) {
  if (policy != wanted || has_filter() != (bytes > 0)) {
    return Error(absl::StrCat("table ", table, " has ", bytes,
                              " bytes of filter of the policy '", policy,
                              "'; the policy should be '", wanted, "'"));
  }
  filter_bytes_ += bytes;
  return absl::OkStatus();
}

absl::Status Database::WrongAnswer(
    const Lookup& lookup, const std::optional<std::string_view>& value) const {
  const char* kind = lookup.value.has_value() && !value.has_value()
                         ? " (a false negative?)"
                         : "";
  return Error(absl::StrCat("wrong answer for '", Shown(lookup.key),
                            "': ", Shown(value), ", but it must be ",
                            Shown(lookup.value), kind));
}

}  // namespace oneline
