// Numbers as people read them.

#ifndef ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_
#define ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

namespace oneline {

// "7,315,688"
std::string WithCommas(uint64_t number);

// "1 table", "7,315 tables"
std::string Tables(uint64_t number);

// A rate from 0 to 1, with three digits: "0.163 %", "100 %", "2.10e-05 %".
std::string PercentText(double rate);

// "0:07", "12:34", "1:02:34"
std::string DurationText(double seconds);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_
