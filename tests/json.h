// Parses JSON strictly, so that tests see what programs will that read it.

#ifndef ONELINE_TESTS_JSON_H_
#define ONELINE_TESTS_JSON_H_

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace oneline {

// What is not there is null, and so is text that is no JSON; a test then fails.
struct Json {
  enum Type { kNull, kBool, kNumber, kString, kArray, kObject } type = kNull;
  double number = 0;  // of a bool 0 or 1
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> members;

  const Json& operator[](const std::string& name) const {
    const auto found = members.find(name);
    if (found != members.end()) return found->second;
    ADD_FAILURE() << "no member " << name;
    static const Json kNone;
    return kNone;
  }
  bool Has(const std::string& name) const { return members.count(name) > 0; }
};

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : rest_(text) {}

  Json Parse() {
    const Json value = Value();
    Space();
    if (!rest_.empty()) Fail("the end");
    return failed_ ? Json() : value;
  }

 private:
  void Fail(const char* expected) {
    if (!failed_) {
      ADD_FAILURE() << "expected " << expected << " before: " << rest_;
    }
    failed_ = true;
    rest_ = {};
  }
  void Space() {
    while (!rest_.empty() && std::isspace(static_cast<uint8_t>(rest_[0]))) {
      rest_.remove_prefix(1);
    }
  }
  bool Accept(std::string_view token) {
    Space();
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void Expect(const char* token) {
    if (!Accept(token)) Fail(token);
  }

  Json Value() {
    Json value;
    if (Accept("{")) {
      value.type = Json::kObject;
      if (Accept("}")) return value;
      do {
        const std::string name = String();
        Expect(":");
        if (value.members.count(name) > 0) Fail("another name");
        value.members[name] = Value();
      } while (Accept(","));
      Expect("}");
    } else if (Accept("[")) {
      value.type = Json::kArray;
      if (Accept("]")) return value;
      do {
        value.items.push_back(Value());
      } while (Accept(","));
      Expect("]");
    } else if (!rest_.empty() && rest_[0] == '"') {
      value.type = Json::kString;
      value.text = String();
    } else if (Accept("true")) {
      value.type = Json::kBool;
      value.number = 1;
    } else if (Accept("false")) {
      value.type = Json::kBool;
    } else if (!Accept("null")) {
      value.type = Json::kNumber;
      value.number = Number();
    }
    return value;
  }

  // Escapes stand for the character that follows the backslash, but \n.
  std::string String() {
    Expect("\"");
    std::string text;
    while (!rest_.empty() && rest_[0] != '"') {
      if (static_cast<uint8_t>(rest_[0]) < ' ') Fail("no control character");
      if (rest_.size() > 1 && rest_[0] == '\\') rest_.remove_prefix(1);
      if (rest_.empty()) break;
      text += rest_[0];
      rest_.remove_prefix(1);
    }
    Expect("\"");
    return text;
  }

  // Not "nan" and "inf", which printf may give and JSON has not.
  double Number() {
    const size_t length = rest_.find_first_not_of("0123456789+-.eE");
    const std::string text(rest_.substr(0, length));
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') Fail("a value");
    if (!rest_.empty()) rest_.remove_prefix(text.size());
    return number;
  }

  std::string_view rest_;
  bool failed_ = false;
};

inline Json ParseJson(std::string_view text) {
  return JsonParser(text).Parse();
}

}  // namespace oneline

#endif  // ONELINE_TESTS_JSON_H_
