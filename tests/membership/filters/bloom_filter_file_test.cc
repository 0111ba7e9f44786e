// Tests of membership/filters/bloom_filter_file.cc: a saved filter is loaded,
// and a file that was truncated or changed is refused. What is saved is pinned:
// tests/golden/test_vectors_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "membership/filters/bloom_filter.h"
#include "table/hash/key_hash.h"
#include "tests/golden/test_vectors.h"
#include "tests/random_keys.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

// A filter with an odd number of bits and the keys 0 .. 19 in it.
BloomFilter SmallFilter() {
  BloomFilter filter =
      *BloomFilter::ForShape({189, 6, Hasher::kDouble, 0x0123456789abcdef});
  for (uint64_t i = 0; i < 20; ++i) {
    filter.Add(IntegerKey(KeySet::kLittleEndian, 0, i));
  }
  return filter;
}

void WriteWholeFile(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

class BloomFilterFileTest : public testing::Test {
 protected:
  std::string SavedBytes(const BloomFilter& filter) {
    const absl::Status status = filter.Save(path_);
    EXPECT_TRUE(status.ok()) << status;
    return ReadWholeFile(path_);
  }

  absl::Status LoadBytes(const std::string& bytes) {
    WriteWholeFile(path_, bytes);
    return BloomFilter::Load(path_).status();
  }

  // Expects that LoadBytes fails with this reason, after the name of the file.
  void ExpectRefused(const std::string& bytes, const std::string& reason) {
    const absl::Status status = LoadBytes(bytes);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_EQ(status.message(), path_ + ": " + reason);
  }

  const TemporaryDirectory directory_;
  const std::string path_ = directory_.File("saved");
};

TEST_F(BloomFilterFileTest, PinnedBytesAreRead) {
  const TestVector& vector = PinnedVector("saved_filter");
  WriteWholeFile(path_, vector.bytes);
  const absl::StatusOr<BloomFilter> filter = BloomFilter::Load(path_);
  ASSERT_TRUE(filter.ok()) << filter.status();
  for (size_t i = 0; i < vector.num_keys(); ++i) {
    EXPECT_EQ(filter->MayContain(vector.Key(i)), vector.MayMatch(i)) << i;
  }
}

TEST_F(BloomFilterFileTest, ALoadedFilterIsTheSavedOne) {
  for (const FilterShape& shape :
       {FilterShape{1, 1}, FilterShape{8, 64}, FilterShape{100003, 5},
        FilterShape{1 << 20, 7, Hasher::kPolynomial},
        FilterShape{1000, 3, Hasher::kMd5},
        FilterShape{1000, 3, Hasher::kDouble, ~uint64_t{0}}}) {
    BloomFilter filter = *BloomFilter::ForShape(shape);
    for (uint64_t n : {0, 1, 1000}) {
      for (uint64_t i = 0; i < n; ++i) {
        filter.Add(IntegerKey(KeySet::kRandom, 0, i));
      }
      ASSERT_TRUE(filter.Save(path_).ok());
      absl::StatusOr<BloomFilter> loaded = BloomFilter::Load(path_);
      ASSERT_TRUE(loaded.ok()) << loaded.status();
      EXPECT_TRUE(loaded->shape() == shape);
      EXPECT_EQ(loaded->bits_set(), filter.bits_set());
      for (uint64_t i = 0; i < 2000; ++i) {
        const IntegerKey key(KeySet::kRandom, 0, i);
        ASSERT_EQ(loaded->MayContain(key), filter.MayContain(key));
      }
      // More keys can be added.
      loaded->Add("more");
      EXPECT_TRUE(loaded->MayContain("more"));
    }
  }
}

TEST_F(BloomFilterFileTest, AFileTruncatedAnywhereIsRefused) {
  const std::string bytes = SavedBytes(SmallFilter());
  ASSERT_EQ(bytes.size(), 48u + 24 + 8);
  for (size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_EQ(LoadBytes(bytes.substr(0, n)).code(), absl::StatusCode::kDataLoss)
        << n;
  }
  ExpectRefused("", "is too short for a saved filter");
  ExpectRefused(bytes.substr(0, 47), "ends within the header");
  ExpectRefused(bytes.substr(0, 79),
                "has 79 bytes instead of 80: it was truncated");
  ExpectRefused(bytes + '\n',
                "has 81 bytes instead of 80: something was appended");
}

TEST_F(BloomFilterFileTest, AFileWithAnyBitChangedIsRefused) {
  const std::string bytes = SavedBytes(SmallFilter());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(LoadBytes(changed).code(), absl::StatusCode::kDataLoss) << bit;
  }
  std::string changed = bytes;
  changed[0] = 'x';
  ExpectRefused(changed, "is not a saved filter: wrong magic");
  changed = bytes;
  changed[30] = 'x';
  ExpectRefused(changed, "the checksum of the header is wrong");
  changed = bytes;
  changed[50] = static_cast<char>(~changed[50]);
  ExpectRefused(changed, "the checksum of the bits is wrong");
}

// Files that our Save would not write, although their checksums are right.
class ForgedFileTest : public BloomFilterFileTest {
 protected:
  ForgedFileTest() : bytes_(SavedBytes(SmallFilter())) {}

  // Of `bytes`, with the checksums that they need.
  absl::Status LoadForged(std::string bytes) {
    const uint64_t header = KeyHash({bytes.data(), 40}, 0);
    PutNumber(40, header, &bytes);
    PutNumber(bytes.size() - 8,
              KeyHash({bytes.data() + 48, bytes.size() - 56}, header), &bytes);
    return LoadBytes(bytes);
  }

  static void PutNumber(size_t at, uint64_t number, std::string* bytes) {
    for (size_t i = 0; i < 8; ++i) {
      (*bytes)[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
    }
  }

  const std::string bytes_;
};

TEST_F(ForgedFileTest, EachFieldIsChecked) {
  EXPECT_TRUE(LoadForged(bytes_).ok());
  const struct {
    size_t at;
    char byte;
    const char* error;
  } kForged[] = {
      {8, 2, "this program does not know version 2"},
      {9, 77, "there is no hasher 77"},
      {10, 0, "the number of hashes must be 1 to 64, not 0"},
      {13, 1, "bytes 12 to 15 of the header must be 0"},
      // Of the bits that are set.
      {32, 1, "the header does not match the bits"},
      // The number of bits, 2^40 more: is compared with the size of the file
      // before any memory is allocated.
      {29, 1, "has 80 bytes instead of 137438953552: it was truncated"},
  };
  for (const auto& forged : kForged) {
    std::string bytes = bytes_;
    bytes[forged.at] = forged.byte;
    EXPECT_EQ(LoadForged(bytes).message(), path_ + ": " + forged.error);
  }
  std::string bytes = bytes_;
  PutNumber(24, ~uint64_t{0}, &bytes);
  EXPECT_FALSE(LoadForged(bytes).ok());
}

TEST_F(BloomFilterFileTest, KeepsTheFormOfKeys) {
  FilterShape shape = {100, 3};
  shape.key_form = 7;
  const BloomFilter filter = *BloomFilter::ForShape(shape);
  const std::string bytes = SavedBytes(filter);
  EXPECT_EQ(bytes[11], 7);
  EXPECT_EQ(BloomFilter::Load(path_)->shape().key_form, 7);
  // It makes a different shape.
  EXPECT_FALSE(filter.shape() == (FilterShape{100, 3}));
}

// The filter has bits 0 to 188; those after them must be 0.
TEST_F(ForgedFileTest, BitsPastTheEnd) {
  std::string bytes = bytes_;
  char& last = bytes[48 + 23];
  ASSERT_EQ(static_cast<uint8_t>(last) >> 5, 0);
  // Clear another bit for the one set there, so that their number stays right.
  const auto found = std::find_if(bytes.begin() + 48, bytes.begin() + 71,
                                  [](char c) { return (c & 1) != 0; });
  ASSERT_NE(found, bytes.begin() + 71);
  *found = static_cast<char>(*found ^ 1);
  last = static_cast<char>(last | 0x80);
  EXPECT_EQ(LoadForged(bytes).message(),
            path_ + ": the header does not match the bits");
}

TEST_F(BloomFilterFileTest, ErrorsNameTheFile) {
  const std::string missing = directory_.File("missing");
  const absl::Status status = BloomFilter::Load(missing).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message().find(absl::string_view(missing)), 0u) << status;
  EXPECT_EQ(BloomFilter::Load(directory_.path()).status().message(),
            directory_.path() + ": is not a regular file");
}

TEST_F(BloomFilterFileTest, SaveReplacesAnOlderFile) {
  ASSERT_TRUE(BloomFilter::ForBytes(1000, 3, 0)->Save(path_).ok());
  BloomFilter filter = SmallFilter();
  ASSERT_TRUE(filter.Save(path_).ok());
  EXPECT_EQ(BloomFilter::Load(path_)->bits_set(), filter.bits_set());
}

}  // namespace
}  // namespace oneline
