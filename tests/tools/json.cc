#include "tests/tools/json.h"

#include <nlohmann/json.hpp>

#include "tests/testing.h"

namespace oneline {
namespace {

using Value = nlohmann::json;

const Value& Of(const std::shared_ptr<const void>& value) {
  return *static_cast<const Value*>(value.get());
}

}  // namespace

Json Json::Parse(const std::string& text) {
  auto value = std::make_shared<Value>(
      Value::parse(text, nullptr, /*allow_exceptions=*/false));
  if (value->is_discarded()) {
    ADD_FAILURE() << "is not JSON: " << text;
    return Json(nullptr);
  }
  return Json(std::shared_ptr<const void>(std::move(value)));
}

Json::Json(std::nullptr_t) : value_(std::make_shared<Value>(nullptr)) {}
Json::Json(double number) : value_(std::make_shared<Value>(number)) {}
Json::Json(uint64_t number) : value_(std::make_shared<Value>(number)) {}
Json::Json(const std::string& text) : value_(std::make_shared<Value>(text)) {}

Json Json::operator[](std::string_view member) const {
  const Value& value = Of(value_);
  const auto found =
      value.is_object() ? value.find(std::string(member)) : value.end();
  if (found == value.end()) {
    ADD_FAILURE() << "there is no \"" << member << "\" in " << dump();
    return Json(nullptr);
  }
  return Json(std::shared_ptr<const void>(value_, &*found));
}

Json Json::operator[](size_t element) const {
  const Value& value = Of(value_);
  if (!value.is_array() || element >= value.size()) {
    ADD_FAILURE() << "there is no [" << element << "] in " << dump();
    return Json(nullptr);
  }
  return Json(std::shared_ptr<const void>(value_, &value[element]));
}

std::vector<Json> Json::elements() const {
  std::vector<Json> all;
  for (size_t i = 0; i < size(); ++i) all.push_back((*this)[i]);
  return all;
}

size_t Json::size() const {
  EXPECT_TRUE(Of(value_).is_structured()) << dump();
  return Of(value_).size();
}

double Json::number() const {
  EXPECT_TRUE(Of(value_).is_number()) << dump();
  return Of(value_).is_number() ? Of(value_).get<double>() : 0;
}

std::string Json::text() const {
  EXPECT_TRUE(Of(value_).is_string()) << dump();
  return Of(value_).is_string() ? Of(value_).get<std::string>() : "";
}

std::string Json::dump() const { return Of(value_).dump(); }

int Json::Order(const Json& other) const {
  if (Of(value_) == Of(other.value_)) return 0;
  return Of(value_) < Of(other.value_) ? -1 : 1;
}

}  // namespace oneline
