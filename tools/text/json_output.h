// What commands print with --json.

#ifndef ONELINE_TOOLS_TEXT_JSON_OUTPUT_H_
#define ONELINE_TOOLS_TEXT_JSON_OUTPUT_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace oneline {

// Members keep their order.
using Json = nlohmann::ordered_json;

inline Json OrNull(const std::optional<double>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

// Null for an empty text.
inline Json TextOrNull(absl::string_view text) {
  return text.empty() ? Json(nullptr) : Json(std::string(text));
}

// On standard output. Bytes in texts that are not valid UTF-8 are replaced.
inline void PrintJson(const Json& json) {
  absl::PrintF("%s\n",
               json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_JSON_OUTPUT_H_
