// Tests of filter_policy/filter_options_text.h.

#include "filter_policy/filter_options_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// None of them a default, so that what is left untouched shows.
FilterOptions Unusual() {
  FilterOptions options;
  options.bits_per_key = 7.125;
  options.hash_seed = 99;
  return options;
}

void ExpectEqual(const FilterOptions& a, const FilterOptions& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.bits_per_key, b.bits_per_key);
  EXPECT_EQ(a.hash_seed, b.hash_seed);
}

// An error that names all of `parts`.
void ExpectError(const absl::Status& status,
                 std::initializer_list<const char*> parts) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  for (const char* part : parts) {
    EXPECT_NE(status.message().find(part), std::string::npos)
        << "no \"" << part << "\" in: " << status;
  }
}

void ExpectSetError(const char* name, const char* value,
                    std::initializer_list<const char*> parts) {
  SCOPED_TRACE(testing::Message() << name << "=" << value);
  FilterOptions options = Unusual();
  ExpectError(SetOption(name, value, &options), parts);
  ExpectEqual(options, Unusual());
}

double ParsedBits(const char* value) {
  FilterOptions options = Unusual();
  const absl::Status status = SetOption("bits_per_key", value, &options);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(options.hash_seed, Unusual().hash_seed);
  return options.bits_per_key;
}

TEST(FilterOptionsTextTest, TheDefaultsAreValid) {
  const FilterOptions options;
  EXPECT_TRUE(Validate(options).ok());
  EXPECT_EQ(GetOption("kind", options), "bloom");
  EXPECT_EQ(GetOption("bits_per_key", options), "10");
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
    ASSERT_TRUE(SetOption("bits_per_key", text, &read).ok()) << text;
    ASSERT_EQ(read.bits_per_key, options.bits_per_key) << text;
    ASSERT_EQ(GetOption("bits_per_key", read), text);
  }
}

TEST(FilterOptionsTextTest, BitsPerKeyOutOfBoundsIsAnError) {
  for (const char* value :
       {"", " ", "nan", "-nan", "inf", "-inf", "-1", "-0.001", "100.001", "101",
        "1e300", "1e999", "ten", "10x", "10;", "1,5", "0x"}) {
    ExpectSetError("bits_per_key", value,
                   {"oneline", "bits_per_key", value, "1 to 100"});
  }
}

TEST(FilterOptionsTextTest, AnySeedComesBack) {
  for (uint64_t seed :
       {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63,
        std::numeric_limits<uint64_t>::max(), uint64_t{0xfedcba9876543210}}) {
    FilterOptions options;
    options.hash_seed = seed;
    FilterOptions read;
    ASSERT_TRUE(
        SetOption("hash_seed", GetOption("hash_seed", options), &read).ok());
    EXPECT_EQ(read.hash_seed, seed);
  }
  FilterOptions options = Unusual();
  ASSERT_TRUE(SetOption("hash_seed", "random", &options).ok());
  EXPECT_FALSE(options.hash_seed.has_value());
}

TEST(FilterOptionsTextTest, SeedThatIsNoNumberIsAnError) {
  for (const char* value : {"", "Random", "-1", "18446744073709551616", "1.5",
                            "0x10", "7 7", "nan"}) {
    ExpectSetError("hash_seed", value,
                   {"oneline", "hash_seed", value, "random", "2^64 - 1"});
  }
}

TEST(FilterOptionsTextTest, UnknownKindIsAnError) {
  FilterOptions options;
  EXPECT_TRUE(SetOption("kind", "bloom", &options).ok());
  EXPECT_EQ(options.kind, Kind::kBloom);
  for (const char* value : {"", "Bloom", "blooms", "1", "cuckoo"}) {
    ExpectSetError("kind", value, {"oneline", "kind", value, "bloom"});
  }
}

TEST(FilterOptionsTextTest, UnknownNameIsAnError) {
  for (const char* name : {"", "Kind", "bits", "bits_per_key "}) {
    ExpectSetError(name, "10",
                   {"oneline", name, "no such option", "kind", "bits_per_key",
                    "hash_seed"});
  }
}

TEST(FilterOptionsTextTest, ValidateHoldsOptionsToTheirBounds) {
  for (double bits : {0.0, 0.4, 0.5, 1.0, 10.0, 99.9996, 100.0}) {
    FilterOptions options;
    options.bits_per_key = bits;
    EXPECT_TRUE(Validate(options).ok()) << bits;
  }
  for (double bits : {-1.0, -1e-9, 100.001, 101.0, kNaN, kInfinity, -kInfinity,
                      std::numeric_limits<double>::max()}) {
    FilterOptions options;
    options.bits_per_key = bits;
    ExpectError(Validate(options),
                {"bits_per_key", absl::StrCat(bits).c_str(), "1 to 100"});
  }
  for (int kind : {0, 3, 200, 255}) {
    FilterOptions options;
    options.kind = static_cast<Kind>(kind);
    ExpectError(Validate(options),
                {"kind", absl::StrCat(kind).c_str(), "bloom"});
  }
}

TEST(FilterOptionsTextTest, EffectiveBitsRoundAsRocksDBDoes) {
  const auto effective = [](double bits) {
    FilterOptions options;
    options.bits_per_key = bits;
    return EffectiveBitsPerKey(options);
  };
  EXPECT_EQ(effective(0), 0);
  EXPECT_EQ(effective(0.4), 0);
  EXPECT_EQ(effective(0.499), 0);
  EXPECT_EQ(effective(0.5), 1);
  EXPECT_EQ(effective(0.7), 1);
  EXPECT_EQ(effective(1), 1);
  EXPECT_EQ(effective(1.0004), 1);
  EXPECT_EQ(effective(1.5), 1.5);
  EXPECT_EQ(effective(9.9996), 10);
  EXPECT_EQ(effective(100), 100);
}

FilterOptions Parsed(const char* text) {
  // What the text does not name is as by default, not as it was.
  FilterOptions options = Unusual();
  const absl::Status status = ParsePolicy(text, &options);
  EXPECT_TRUE(status.ok()) << status;
  return options;
}

TEST(FilterOptionsTextTest, ParsesNamesOfPolicies) {
  FilterOptions expected;
  ExpectEqual(Parsed("oneline"), expected);
  ExpectEqual(Parsed("{id=oneline}"), expected);
  ExpectEqual(Parsed("{id=oneline;}"), expected);
  expected.bits_per_key = 12.5;
  ExpectEqual(Parsed("oneline:12.5"), expected);
  ExpectEqual(Parsed("{bits_per_key=12.5;id=oneline}"), expected);
  expected.hash_seed = 7;
  ExpectEqual(Parsed("{id=oneline;kind=bloom;bits_per_key=12.5;hash_seed=7}"),
              expected);
  ExpectEqual(
      Parsed("{ id = oneline ; bits_per_key = 12.5; ; hash_seed = 7 ; }"),
      expected);
}

TEST(FilterOptionsTextTest, RefusesWhatNamesNoPolicy) {
  for (const char* text :
       {"", "oneline2", "Oneline", "oneline 10", " oneline", "bloomfilter:10",
        "{}", "{id=}", "{bits_per_key=10}", "{id=bloomfilter}", "{id=oneline",
        "id=oneline}", "{id=oneline;id=other}"}) {
    SCOPED_TRACE(text);
    FilterOptions options = Unusual();
    ExpectError(ParsePolicy(text, &options),
                {"oneline", text, "oneline:<bits_per_key>"});
    ExpectEqual(options, Unusual());
  }
}

TEST(FilterOptionsTextTest, RefusesPoliciesWithWrongOptions) {
  const auto expect_error = [](const char* text,
                               std::initializer_list<const char*> parts) {
    SCOPED_TRACE(text);
    FilterOptions options = Unusual();
    ExpectError(ParsePolicy(text, &options), parts);
    ExpectEqual(options, Unusual());
  };
  expect_error("oneline:", {"bits_per_key", "1 to 100"});
  expect_error("oneline:101", {"bits_per_key", "101", "1 to 100"});
  expect_error("oneline:10:false", {"bits_per_key", "10:false", "1 to 100"});
  expect_error("oneline:nan", {"bits_per_key", "nan", "1 to 100"});
  expect_error("{id=oneline;bits_per_key=-1}",
               {"bits_per_key", "-1", "1 to 100"});
  expect_error("{id=oneline;bits_per_key}", {"bits_per_key", "1 to 100"});
  expect_error("{id=oneline;kind=cuckoo}", {"kind", "cuckoo", "bloom"});
  expect_error("{id=oneline;hash_seed=x}", {"hash_seed", "x", "random"});
  expect_error("{id=oneline;bits=10}", {"bits", "no such option"});
}

}  // namespace
}  // namespace oneline
