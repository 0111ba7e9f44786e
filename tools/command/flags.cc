#include "tools/command/flags.h"

#include <CLI/CLI.hpp>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// "--jobs" and "N" of "--jobs=N".
std::pair<std::string, std::string> NameAndValue(const char* flag) {
  return absl::StrSplit(flag, absl::MaxSplits('=', 1));
}

// As people write it: 1e-9, where printf writes 1e-09.
std::string NumberText(double number) {
  return absl::StrReplaceAll(absl::StrCat(number),
                             {{"e-0", "e-"}, {"e+0", "e"}, {"e+", "e"}});
}

bool IsWithin(Bounds bounds, double number) {  // false for NaN
  return number >= bounds.least && number <= bounds.most;
}

[[noreturn]] void Refuse(const char* flag, const std::string& value,
                         const std::string& must_be) {
  throw CLI::ValidationError(absl::StrCat(NameAndValue(flag).first, "=", value,
                                          ": must be ", must_be));
}

}  // namespace

void Flags::Argument(const char* name, std::string* text) {
  app_.add_option(name, *text)->required();
}

void Flags::Arguments(const char* name, int least,
                      std::vector<std::string>* texts) {
  app_.add_option(name, *texts)->required(least > 0);
}

void Flags::Switch(const char* flag, const char* help, bool* on) {
  app_.add_flag(flag, *on, help)->type_name("");
}

void Flags::AddText(const char* flag, const std::string& help,
                    const std::function<void(const std::string&)>& set) {
  const auto [name, value_name] = NameAndValue(flag);
  const auto set_if_given = [name = name, set](const std::string& value) {
    if (value.empty()) {
      throw CLI::ValidationError(name + " is empty; it needs a value");
    }
    set(value);
  };
  app_.add_option_function<std::string>(name, set_if_given, help)
      ->type_name(value_name)
      ->take_last();
}

void Flags::Text(const char* flag, const char* help, std::string* text) {
  AddText(flag, help, [text](const std::string& value) { *text = value; });
}

void Flags::List(const char* flag, const char* help,
                 std::vector<std::string>* texts) {
  AddText(flag, absl::StrCat(help, ", separated by commas"),
          [texts](const std::string& value) {
            *texts = absl::StrSplit(value, ',');
          });
}

void Flags::Size(const char* flag, const char* help, Bounds bounds,
                 std::optional<double>* bytes) {
  AddText(flag, help, [=](const std::string& value) {
    *bytes = ParseByteSize(value);
    if (bytes->has_value() && IsWithin(bounds, **bytes)) return;
    Refuse(
        flag, value,
        absl::StrCat("a size as 512MiB, 1.5GB or 4096, from ",
                     BytesText(bounds.least), " to ", BytesText(bounds.most)));
  });
}

void Flags::AddNumber(const char* flag, const std::string& help, Bounds bounds,
                      std::optional<double> before, bool is_whole,
                      const std::function<void(double)>& set) {
  const std::string range =
      absl::StrCat(NumberText(bounds.least), " to ", NumberText(bounds.most));
  const std::string by_default =
      before.has_value()
          ? absl::StrCat("; ", NumberText(*before), " if not given")
          : "";
  AddText(flag, absl::StrCat(help, ", ", range, by_default),
          [=](const std::string& value) {
            const std::optional<double> number = ParseNumber(value);
            if (number.has_value() && IsWithin(bounds, *number) &&
                (!is_whole || std::round(*number) == *number)) {
              return set(*number);
            }
            Refuse(flag, value,
                   absl::StrCat("a ", is_whole ? "whole " : "", "number from ",
                                range));
          });
}

std::vector<std::string> Flags::Given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_.get_options()) {
    if (option->nonpositional() && option->count() > 0) {
      names.push_back(option->get_name());
    }
  }
  return names;
}

void ScanFlags::AddTo(Flags* flags) {
  flags->Switch("--json", "print JSON instead of text", &json);
  flags->List("--db_paths=DIRECTORIES",
              "directories outside the database's own that have its tables",
              &db_paths);
  flags->Number("--jobs=N", "tables to process in parallel", {1, 256}, &jobs);
}

}  // namespace oneline
