// One table of mistakes in options, for every way in which options come in.

#ifndef ONELINE_TESTS_FILTER_POLICY_OPTIONS_WRONG_OPTIONS_H_
#define ONELINE_TESTS_FILTER_POLICY_OPTIONS_WRONG_OPTIONS_H_

#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

struct Mistake {
  // The policy as text; empty if the mistake can only be made in code.
  std::string text;
  // All of this is in the error.
  std::vector<const char*> error;
  // Makes it in code; null if it can only be made in a text.
  void (*make)(FilterOptions* options) = nullptr;
  // Later versions may have the option.
  bool unknown = false;

  // The options in {id=oneline;...}, and whether it is one option; empty for
  // texts of another form.
  std::string options() const {
    const std::string begin = "{id=oneline;";
    if (text.compare(0, begin.size(), begin) != 0) return "";
    return text.substr(begin.size(), text.size() - begin.size() - 1);
  }
  bool is_one_option() const {
    return !options().empty() && !unknown &&
           text.find(';') == text.find_last_of(';');
  }
  FilterOptions made() const {
    FilterOptions options;
    make(&options);
    return options;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
  return out << (mistake.text.empty() ? mistake.error[0] : mistake.text);
}

inline const std::vector<Mistake>& Mistakes() {
  static const auto* const mistakes = new std::vector<Mistake>{
      {"oneline:nan",
       {"bits_per_key=nan", "1 to 100"},
       [](FilterOptions* o) {
         o->bits_per_key = std::numeric_limits<double>::quiet_NaN();
       }},
      {"oneline:", {"bits_per_key=", "1 to 100"}},
      {"oneline:10:false", {"bits_per_key=10:false", "1 to 100"}},
      {"{id=oneline;bits_per_key=101}",
       {"bits_per_key=101", "1 to 100"},
       [](FilterOptions* o) { o->bits_per_key = 101; }},
      {"{id=oneline;bits_per_key=-1}",
       {"bits_per_key=-1", "1 to 100"},
       [](FilterOptions* o) { o->bits_per_key = -1; }},
      {"{id=oneline;bits_per_key=}", {"bits_per_key=", "1 to 100"}},
      {"{id=oneline;bits_per_key=ten}", {"bits_per_key=ten", "1 to 100"}},
      {"{id=oneline;kind=cuckoo}", {"kind=cuckoo", "ribbon or bloom"}},
      {"",
       {"kind=200", "ribbon or bloom"},
       [](FilterOptions* o) { o->kind = static_cast<Kind>(200); }},
      {"{id=oneline;fp_rate=0}",
       {"fp_rate=0", "1e-9 to 0.5"},
       [](FilterOptions* o) { o->fp_rate = 0; }},
      {"{id=oneline;level_bits_per_key=16:101}",
       {"level_bits_per_key=16:101", "1 to 100"},
       [](FilterOptions* o) {
         o->level_bits_per_key = {16, 101};
       }},
      {"{id=oneline;bits_by_level=best}",
       {"bits_by_level=best", "true or false"}},
      {"{id=oneline;hits=1.5}",
       {"hits=1.5", "0 to 1"},
       [](FilterOptions* o) { o->hits = 1.5; }},
      {"{id=oneline;hits=90%}", {"hits=90%", "0 to 1"}},
      {"{id=oneline;hits=0.9;bits_by_level=false}",
       {"hits=0.9", "bits_by_level=false", "both given"},
       [](FilterOptions* o) {
         o->hits = 0.9;
         o->bits_by_level = false;
       }},
      {"{id=oneline;hits=0.9;level_bits_per_key=16:8}",
       {"hits=0.9", "level_bits_per_key=16:8", "both given"},
       [](FilterOptions* o) {
         o->hits = 0.9;
         o->level_bits_per_key = {16, 8};
       }},
      {"{id=oneline;bloom_before_level=-2}",
       {"bloom_before_level=-2", "-1 to 1000"},
       [](FilterOptions* o) { o->bloom_before_level = -2; }},
      {"{id=oneline;max_filter_bytes=1M}",
       {"max_filter_bytes=1M", "4096 to 2^32"}},
      {"{id=oneline;hash_seed=x}", {"hash_seed=x", "random"}},
      {"{id=oneline;bits_per_key=10;hash_seed=x}", {"hash_seed=x", "random"}},
      {"{id=oneline;bits_per_key=9;fp_rate=0.01}",
       {"bits_per_key=9", "fp_rate=0.01", "both given"},
       [](FilterOptions* o) {
         o->bits_per_key = 9;
         o->fp_rate = 0.01;
       }},
      {"{id=oneline;fp_rate=0.01;level_bits_per_key=16:8}",
       {"level_bits_per_key=16:8", "fp_rate=0.01", "both given"},
       [](FilterOptions* o) {
         o->fp_rate = 0.01;
         o->level_bits_per_key = {16, 8};
       }},
      {"{id=oneline;level_bits_per_key=16:8;kind=ribbon;bits_per_key=9}",
       {"bits_per_key=9", "level_bits_per_key=16:8", "both given"},
       [](FilterOptions* o) {
         o->bits_per_key = 9;
         o->level_bits_per_key = {16, 8};
       }},
      {"{id=oneline;bits=10}",
       {"bits: no such option", "bits_per_key"},
       nullptr,
       /*unknown=*/true},
  };
  return *mistakes;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_OPTIONS_WRONG_OPTIONS_H_
