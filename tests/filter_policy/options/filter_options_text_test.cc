// Tests of filter_policy/options/filter_options_text.h: single options, as text
// and in the struct. options_together_test.cc has those given together.

#include "filter_policy/options/filter_options_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <locale>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/option_table.h"
#include "tests/filter_policy/options/expect_options.h"

namespace oneline {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectSetError(const char* name, const char* value,
                    const std::vector<const char*>& parts) {
  SCOPED_TRACE(testing::Message() << name << "=" << value);
  FilterOptions options = Unusual();
  ExpectError(SetOption(name, value, &options), parts);
  ExpectEqual(options, Unusual());
}

// Sets the option from text and returns the field that it sets. Expects that no
// other field changes.
template <typename T>
T ParsedTo(const char* name, const char* value, T FilterOptions::*member) {
  FilterOptions options = Unusual();
  const std::string error = SetOption(name, value, &options);
  EXPECT_EQ(error, "");
  const T parsed = options.*member;
  options.*member = Unusual().*member;
  ExpectEqual(options, Unusual());
  return parsed;
}

double ParsedBits(const char* value) {
  return ParsedTo("bits_per_key", value, &FilterOptions::bits_per_key)
      .value_or(-1);
}

TEST(FilterOptionsTextTest, TheDefaultsAreValid) {
  const FilterOptions options;
  EXPECT_EQ(Validate(options), "");
  EXPECT_EQ(GetOption("kind", options), "ribbon");
  EXPECT_EQ(GetOption("bits_per_key", options), "10");
  EXPECT_EQ(GetOption("fp_rate", options), "");
  EXPECT_EQ(GetOption("level_bits_per_key", options), "");
  EXPECT_EQ(GetOption("bits_by_level", options), "true");
  EXPECT_EQ(GetOption("hits", options), "0");
  EXPECT_EQ(GetOption("bloom_before_level", options), "-1");
  EXPECT_EQ(GetOption("max_filter_bytes", options), "none");
  EXPECT_EQ(GetOption("hash_seed", options), "random");
}

TEST(FilterOptionsTextTest, BitsPerKeyIsTakenToTheThousandth) {
  EXPECT_EQ(ParsedBits("0"), 0);
  EXPECT_EQ(ParsedBits("0.4"), 0.4);
  EXPECT_EQ(ParsedBits("1"), 1);
  EXPECT_EQ(ParsedBits("10"), 10);
  EXPECT_EQ(ParsedBits("9.9"), 9.9);
  EXPECT_EQ(ParsedBits("1e1"), 10);
  EXPECT_EQ(ParsedBits("9.87649"), 9.876);
  EXPECT_EQ(ParsedBits("9.87651"), 9.877);
  EXPECT_EQ(ParsedBits("99.9996"), 100);
  EXPECT_EQ(ParsedBits("100"), 100);
}

TEST(FilterOptionsTextTest, EveryThousandthComesBack) {
  FilterOptions options;
  for (int thousandths = 0; thousandths <= 100000; ++thousandths) {
    options.bits_per_key = thousandths / 1000.0;
    FilterOptions read;
    read.bits_per_key = -1;
    const std::string text = GetOption("bits_per_key", options);
    ASSERT_EQ(SetOption("bits_per_key", text, &read), "") << text;
    ASSERT_EQ(read.bits_per_key, options.bits_per_key) << text;
    ASSERT_EQ(GetOption("bits_per_key", read), text);
  }
}

TEST(FilterOptionsTextTest, ValuesOutOfBoundsAreErrors) {
  const struct {
    const char* name;
    std::vector<const char*> values;
  } kWrong[] = {
      {"kind", {"", "Bloom", "ribbons", "1", "cuckoo"}},
      {"bits_per_key",
       {"",       " ",       "nan", "-nan",  "inf",   "-inf", "-1",
        "-0.001", "100.001", "101", "1e300", "1e999", "ten",  "10x",
        "10;",    "1,5",     "0x",  "0x10",  "1e",    "1e+",  ".",
        "+-1",    "++1",     "1 0", "1.0.0"}},
      {"fp_rate",
       {"", "nan", "inf", "-inf", "0", "-0.01", "0.50001", "1", "100",
        "9.9e-10", "1%", "1e-999", "small"}},
      {"level_bits_per_key",
       {"", ":", "16:", ":16", "16::8", "16,8", "16:-1", "16:100.001", "nan",
        "16:nan", "16:inf", "16:ten", "16;8"}},
      {"bits_by_level", {"", "True", "yes", "2", "-1", "10", "true1"}},
      {"hits", {"", "nan", "-0.1", "1.001", "90", "90%", "all"}},
      {"bloom_before_level",
       {"", "-2", "+-1", "1001", "2147483647", "4294967296", "0.5", "all"}},
      {"max_filter_bytes",
       {"", "0", "4095", "4294967297", "-1", "1e6", "1M", "64 MiB", "None",
        "nan"}},
      {"hash_seed",
       {"", "Random", "-1", "18446744073709551616", "1.5", "0x10", "7 7",
        "nan"}},
  };
  for (const auto& [name, values] : kWrong) {
    for (const char* value : values) {
      ExpectSetError(name, value,
                     {"oneline", name, value, FindOption(name)->bounds});
    }
  }
}

TEST(FilterOptionsTextTest, NumbersMayHaveSpacesAndAPlusSign) {
  EXPECT_EQ(ParsedBits(" 10\t"), 10);
  EXPECT_EQ(ParsedBits("+9.5"), 9.5);
  EXPECT_EQ(ParsedTo("bloom_before_level", " +4 ",
                     &FilterOptions::bloom_before_level),
            4);
  EXPECT_EQ(ParsedTo("hash_seed", " 7", &FilterOptions::hash_seed), 7u);
  FilterOptions options;
  EXPECT_EQ(SetOption("level_bits_per_key", "16 : 8", &options), "");
  EXPECT_EQ(options.level_bits_per_key, (std::vector<double>{16, 8}));
}

// As in German.
class DecimalComma : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(FilterOptionsTextTest, NumbersAreTheSameInEveryLocale) {
  const std::locale before = std::locale::global(
      std::locale(std::locale::classic(), new DecimalComma));
  EXPECT_EQ(ParsedBits("9.876"), 9.876);
  ExpectSetError("bits_per_key", "9,876", {"bits_per_key=9,876", "1 to 100"});
  FilterOptions options = Unusual();
  EXPECT_EQ(GetOption("bits_per_key", options), "7.125");
  options.bloom_before_level = 1000;
  EXPECT_EQ(GetOption("bloom_before_level", options), "1000");
  options.hash_seed = 1234567;
  EXPECT_EQ(GetOption("hash_seed", options), "1234567");
  options.bits_per_key = 1234.5;
  ExpectError(Validate(options), {"bits_per_key=1234.5", "1 to 100"});
  std::locale::global(before);
}

TEST(FilterOptionsTextTest, FpRateIsTakenToSixDigits) {
  const auto parsed = [](const char* value) {
    FilterOptions options;
    const std::string error = SetOption("fp_rate", value, &options);
    EXPECT_EQ(error, "");
    return options.fp_rate.value_or(-1);
  };
  EXPECT_EQ(parsed("0.01"), 0.01);
  EXPECT_EQ(parsed("1e-2"), 0.01);
  EXPECT_EQ(parsed("0.5"), 0.5);
  EXPECT_EQ(parsed("1e-9"), 1e-9);
  EXPECT_EQ(parsed("0.000000001"), 1e-9);
  EXPECT_EQ(parsed("0.012345649"), 0.0123456);
  EXPECT_EQ(parsed("0.012345651"), 0.0123457);
}

TEST(FilterOptionsTextTest, AnyFpRateComesBack) {
  for (double rate = 1e-9; rate <= 0.5; rate *= 1.00123) {
    FilterOptions options;
    options.fp_rate = rate;
    FilterOptions read, again;
    const std::string text = GetOption("fp_rate", options);
    ASSERT_EQ(SetOption("fp_rate", text, &read), "") << text;
    ASSERT_NEAR(read.fp_rate.value_or(-1), rate, rate * 1e-5) << text;
    ASSERT_EQ(GetOption("fp_rate", read), text);
    ASSERT_EQ(SetOption("fp_rate", GetOption("fp_rate", read), &again), "");
    ASSERT_EQ(again.fp_rate, read.fp_rate);
  }
}

using Bits = std::vector<double>;

TEST(FilterOptionsTextTest, LevelBitsAreAListOfBitsPerKey) {
  const auto parsed = [](const char* value) {
    FilterOptions options;
    const std::string error = SetOption("level_bits_per_key", value, &options);
    EXPECT_EQ(error, "");
    EXPECT_EQ(Validate(options), "");
    FilterOptions read;
    EXPECT_EQ(SetOption("level_bits_per_key",
                        GetOption("level_bits_per_key", options), &read),
              "");
    EXPECT_EQ(read.level_bits_per_key, options.level_bits_per_key);
    return options.level_bits_per_key;
  };
  EXPECT_EQ(parsed("10"), Bits{10});
  EXPECT_EQ(parsed("16:16:14:12:10:8:6"), (Bits{16, 16, 14, 12, 10, 8, 6}));
  EXPECT_EQ(parsed("0:0.4:99.9994:9.87651"), (Bits{0, 0.4, 99.999, 9.877}));
  std::string longest = "1";
  for (int i = 1; i < 1000; ++i) longest += ":2";
  EXPECT_EQ(parsed(longest.c_str()).size(), 1000u);
  ExpectSetError("level_bits_per_key", (longest + ":3").c_str(),
                 {"level_bits_per_key", "1 to 1000 numbers"});
}

TEST(FilterOptionsTextTest, BitsByLevelIsTrueOrFalse) {
  for (const char* value : {"true", "1", " true "}) {
    EXPECT_TRUE(
        ParsedTo("bits_by_level", value, &FilterOptions::bits_by_level));
  }
  for (const char* value : {"false", "0", " 0"}) {
    FilterOptions options;
    EXPECT_EQ(SetOption("bits_by_level", value, &options), "");
    EXPECT_FALSE(options.bits_by_level);
    EXPECT_EQ(GetOption("bits_by_level", options), "false");
  }
}

TEST(FilterOptionsTextTest, BloomBeforeLevelIsALevel) {
  for (int level : {-1, 0, 1, 6, 1000}) {
    const std::string text = std::to_string(level);
    EXPECT_EQ(ParsedTo("bloom_before_level", text.c_str(),
                       &FilterOptions::bloom_before_level),
              level);
    FilterOptions options;
    options.bloom_before_level = level;
    EXPECT_EQ(GetOption("bloom_before_level", options), text);
    EXPECT_EQ(Validate(options), "");
  }
}

TEST(FilterOptionsTextTest, AnySeedComesBack) {
  for (uint64_t seed :
       {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63,
        std::numeric_limits<uint64_t>::max(), uint64_t{0xfedcba9876543210}}) {
    FilterOptions options;
    options.hash_seed = seed;
    FilterOptions read;
    ASSERT_EQ(SetOption("hash_seed", GetOption("hash_seed", options), &read),
              "");
    EXPECT_EQ(read.hash_seed, seed);
  }
  FilterOptions options = Unusual();
  ASSERT_EQ(SetOption("hash_seed", "random", &options), "");
  EXPECT_FALSE(options.hash_seed.has_value());
}

TEST(FilterOptionsTextTest, MaxFilterBytesIsANumberOrNone) {
  for (const char* value : {"4096", "1048576", "4294967296"}) {
    FilterOptions options;
    ASSERT_EQ(SetOption("max_filter_bytes", value, &options), "");
    EXPECT_EQ(options.max_filter_bytes, std::stoull(value));
    EXPECT_EQ(GetOption("max_filter_bytes", options), value);
    ASSERT_EQ(SetOption("max_filter_bytes", "none", &options), "");
    EXPECT_FALSE(options.max_filter_bytes.has_value());
  }
}

TEST(FilterOptionsTextTest, KindIsOneOfTwo) {
  EXPECT_EQ(ParsedTo("kind", "bloom", &FilterOptions::kind), Kind::kBloom);
  EXPECT_EQ(ParsedTo("kind", "ribbon", &FilterOptions::kind), Kind::kRibbon);
}

TEST(FilterOptionsTextTest, UnknownNameIsAnError) {
  for (const char* name : {"", "Kind", "bits", "bits_per_key "}) {
    ExpectSetError(name, "10",
                   {"oneline", name, "no such option", "kind", "bits_per_key",
                    "fp_rate", "level_bits_per_key", "bits_by_level",
                    "bloom_before_level", "max_filter_bytes", "hash_seed"});
  }
}

// What has no text is in code alone. (wrong_options.h has the rest.)
TEST(FilterOptionsTextTest, ValidateHoldsOptionsToTheirBounds) {
  FilterOptions options;
  for (const double bits : {0.0, 0.4, 99.9996, 100.0}) {
    options.bits_per_key = bits;
    EXPECT_EQ(Validate(options), "") << bits;
  }
  for (const double bits : {-1e-9, 100.001, kInfinity, -kInfinity,
                            std::numeric_limits<double>::max()}) {
    options.bits_per_key = bits;
    ExpectError(Validate(options),
                {"bits_per_key", absl::StrCat(bits).c_str(), "1 to 100"});
  }
  options = FilterOptions();
  for (const double rate : {1e-9, 0.5}) {
    options.fp_rate = rate;
    EXPECT_EQ(Validate(options), "") << rate;
  }
  for (const double rate : {9e-10, 0.51, -0.01, kNaN, kInfinity}) {
    options.fp_rate = rate;
    ExpectError(Validate(options),
                {"fp_rate", absl::StrCat(rate).c_str(), "1e-9 to 0.5"});
  }
  options = FilterOptions();
  for (const Bits& bits : {Bits{16, -1}, Bits{16, kNaN}, Bits(1001, 10.0)}) {
    options.level_bits_per_key = bits;
    ExpectError(Validate(options), {"level_bits_per_key", "1 to 100"});
  }
  options = FilterOptions();
  for (const int kind : {0, 3, 255}) {
    options.kind = static_cast<Kind>(kind);
    ExpectError(Validate(options),
                {"kind", absl::StrCat(kind).c_str(), "ribbon or bloom"});
  }
}

}  // namespace
}  // namespace oneline
