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
#include "table/hash/little_endian.h"
#include "tests/golden/test_vectors.h"
#include "tests/random_keys.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

class BloomFilterFileTest : public testing::Test {
 protected:
  // That of a filter with an odd number of bits and the keys 0 .. 19 in it.
  std::string SavedBytes() {
    BloomFilter filter =
        *BloomFilter::ForShape({189, 6, Hasher::kDouble, 0x0123456789abcdef});
    for (uint64_t i = 0; i < 20; ++i) {
      filter.Add(IntegerKey(KeySet::kLittleEndian, 0, i));
    }
    EXPECT_TRUE(filter.Save(path_).ok());
    return ReadWholeFile(path_);
  }

  absl::Status LoadBytes(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return BloomFilter::Load(path_).status();
  }

  // Expects that LoadBytes fails with this reason, after the name of the file.
  void ExpectRefused(const std::string& bytes, const std::string& reason) {
    EXPECT_EQ(LoadBytes(bytes).message(), path_ + ": " + reason);
  }

  // With the checksums that they need.
  static std::string Forged(std::string bytes) {
    const uint64_t header = KeyHash({bytes.data(), 40}, 0);
    PutNumber(40, header, &bytes);
    PutNumber(bytes.size() - 8,
              KeyHash({bytes.data() + 48, bytes.size() - 56}, header), &bytes);
    return bytes;
  }

  static void PutNumber(size_t at, uint64_t number, std::string* bytes) {
    PutLittleEndian(number, reinterpret_cast<uint8_t*>(bytes->data()) + at);
  }

  const TemporaryDirectory directory_;
  const std::string path_ = directory_.File("saved");
};

TEST_F(BloomFilterFileTest, PinnedBytesAreRead) {
  for (const char* name : {"saved_filter", "saved_polynomials", "saved_md5"}) {
    SCOPED_TRACE(name);
    const TestVector& vector = PinnedVector(name);
    ASSERT_TRUE(LoadBytes(vector.bytes).ok());
    const BloomFilter filter = *BloomFilter::Load(path_);
    for (size_t i = 0; i < vector.num_keys(); ++i) {
      EXPECT_EQ(filter.MayContain(vector.Key(i)), vector.MayMatch(i)) << i;
    }
  }
}

TEST_F(BloomFilterFileTest, ALoadedFilterIsTheSavedOne) {
  for (const FilterShape& shape :
       {FilterShape{1, 1}, FilterShape{100003, 64},
        FilterShape{1 << 20, 7, Hasher::kPolynomial},
        FilterShape{1000, 3, Hasher::kMd5},
        FilterShape{100, 3, Hasher::kDouble, ~uint64_t{0}, 7}}) {
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

TEST_F(BloomFilterFileTest, AFileTruncatedOrChangedAnywhereIsRefused) {
  const std::string bytes = SavedBytes();
  ASSERT_EQ(bytes.size(), 48u + 24 + 8);
  for (size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_TRUE(absl::IsDataLoss(LoadBytes(bytes.substr(0, n)))) << n;
  }
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(absl::IsDataLoss(LoadBytes(changed))) << bit;
  }
  ExpectRefused(bytes.substr(0, 47), "ends too early");
  ExpectRefused(bytes.substr(0, 79),
                "has 79 bytes instead of 80: it was truncated");
  ExpectRefused(bytes + '\n',
                "has 81 bytes instead of 80: something was appended");
}

// In files that our Save would not write, also if their checksums are right.
TEST_F(BloomFilterFileTest, EachFieldIsChecked) {
  const std::string bytes = SavedBytes();
  const struct {
    size_t at;
    char byte;
    bool forged;
    const char* error;
  } kFields[] = {
      {0, 'x', false, "is not a saved filter: wrong magic"},
      {30, 'x', false, "the checksum of the header is wrong"},
      {50, 'x', false, "the checksum of the bits is wrong"},
      {8, 2, true, "this program does not know version 2"},
      {9, 77, true, "there is no hasher 77"},
      {10, 0, true, "the number of hashes must be 1 to 64, not 0"},
      {10, 65, true, "the number of hashes must be 1 to 64, not 65"},
      {13, 1, true, "bytes 12 to 15 of the header must be 0"},
      // Of the bits that are set.
      {32, 1, true, "the header does not match the bits"},
      // The number of bits, 2^40 more: is compared with the size of the file
      // before any memory is allocated.
      {29, 1, true, "has 80 bytes instead of 137438953552: it was truncated"},
  };
  for (const auto& field : kFields) {
    std::string changed = bytes;
    ASSERT_NE(changed[field.at], field.byte);
    changed[field.at] = field.byte;
    ExpectRefused(field.forged ? Forged(changed) : changed, field.error);
  }
  EXPECT_TRUE(LoadBytes(Forged(bytes)).ok());
  // Bits behind the last, 188, of which as many are set as before.
  std::string changed = bytes;
  const auto found = std::find_if(changed.begin() + 48, changed.begin() + 71,
                                  [](char c) { return (c & 1) != 0; });
  *found = static_cast<char>(*found ^ 1);
  changed[71] = static_cast<char>(changed[71] | 0x80);
  ExpectRefused(Forged(changed), "the header does not match the bits");
}

TEST_F(BloomFilterFileTest, ErrorsNameTheFile) {
  const absl::Status status = BloomFilter::Load(path_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message().find(absl::string_view(path_)), 0u) << status;
  EXPECT_EQ(BloomFilter::Load(directory_.path()).status().message(),
            directory_.path() + ": is not a regular file");
}

}  // namespace
}  // namespace oneline
