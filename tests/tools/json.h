// The JSON that a command prints, for tests: a value that is compared with
// numbers and texts. (nlohmann/json is compiled in json.cc only: its header
// takes longer than the rest of a test.)

#ifndef ONELINE_TESTS_TOOLS_JSON_H_
#define ONELINE_TESTS_TOOLS_JSON_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace oneline {

// A value of a document, which it keeps alive. What is asked of a value of
// another type fails the test and gives null, 0 or "".
class Json {
 public:
  // Fails the test, and gives null, if the text is not JSON.
  static Json Parse(const std::string& text);

  explicit Json(std::nullptr_t);
  explicit Json(double number);
  explicit Json(int number) : Json(static_cast<double>(number)) {}
  explicit Json(uint64_t number);
  explicit Json(const std::string& text);
  explicit Json(const char* text) : Json(std::string(text)) {}

  Json operator[](std::string_view member) const;
  Json operator[](size_t element) const;
  std::vector<Json> elements() const;
  size_t size() const;  // of an array or an object

  double number() const;
  std::string text() const;
  std::string dump() const;  // of any value

  template <typename T>
  friend bool operator==(const Json& a, const T& b) {
    return a.Order(Json(b)) == 0;
  }
  template <typename T>
  friend bool operator>(const Json& a, const T& b) {
    return a.Order(Json(b)) > 0;
  }
  friend std::ostream& operator<<(std::ostream& out, const Json& json) {
    return out << json.dump();
  }

 private:
  explicit Json(std::shared_ptr<const void> value) : value_(std::move(value)) {}
  // -1, 0 or 1, as nlohmann/json orders values; numbers by their value.
  int Order(const Json& other) const;

  std::shared_ptr<const void> value_;  // nlohmann::json
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_JSON_H_
