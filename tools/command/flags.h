// The flags and arguments of one command: which there are, and where their
// values go. CLI11 parses them. Its header takes seconds to compile, and is
// included in flags.cc and command_line.cc only.

#ifndef ONELINE_TOOLS_COMMAND_FLAGS_H_
#define ONELINE_TOOLS_COMMAND_FLAGS_H_

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
}

namespace oneline {

// Of a number or a size, both included.
struct Bounds {
  double least, most;
};

// More keys than any database has, and doubles are still exact.
inline constexpr double kMaxKeyCount = 1e15;

// A flag is given as "--NAME=VALUE", of which help shows all, a switch as
// "--NAME". `help` is a line without a full stop. What values point to keeps
// its contents if the flag is not given, and must outlive the parsing.
class Flags {
 public:
  explicit Flags(CLI::App* app) : app_(*app) {}

  // What is no flag. One must be given, of Arguments at least `least`.
  void Argument(const char* name, std::string* text);
  void Arguments(const char* name, int least, std::vector<std::string>* texts);

  void Switch(const char* flag, const char* help, bool* on);
  void Text(const char* flag, const char* help, std::string* text);
  void List(const char* flag, const char* help,  // separated by commas
            std::vector<std::string>* texts);

  // Such as 512MiB: see number_text.h.
  void Size(const char* flag, const char* help, Bounds bounds,
            std::optional<double>* bytes);

  // Such as 0.01, 5000000, 1e13 or 10M; whole if `Value` is a whole number.
  // Help adds the bounds, and the value before if there is one.
  template <typename Value>
  void Number(const char* flag, const char* help, Bounds bounds, Value* value) {
    AddNumber(flag, help, bounds, static_cast<double>(*value),
              std::is_integral_v<Value>,
              [value](double number) { *value = static_cast<Value>(number); });
  }
  template <typename Value>
  void Number(const char* flag, const char* help, Bounds bounds,
              std::optional<Value>* value) {
    AddNumber(flag, help, bounds, std::nullopt, std::is_integral_v<Value>,
              [value](double number) { *value = static_cast<Value>(number); });
  }

  // The names of the flags that were given, with dashes.
  std::vector<std::string> Given() const;

 private:
  void AddNumber(const char* flag, const std::string& help, Bounds bounds,
                 std::optional<double> before, bool is_whole,
                 const std::function<void(double)>& set);
  void AddText(const char* flag, const std::string& help,
               const std::function<void(const std::string&)>& set);

  CLI::App& app_;
};

// The flags of each command that reads the tables of databases.
struct ScanFlags {
  std::vector<std::string> db_paths;
  int jobs = 1;
  bool json = false;

  void AddTo(Flags* flags);
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_FLAGS_H_
