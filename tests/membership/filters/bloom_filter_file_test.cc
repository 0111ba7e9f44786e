// Tests of membership/filters/bloom_filter_file.cc: a saved filter is loaded
// (others: tests/fuzz/saved_filter_fuzz.cc), a file that was truncated or
// changed is refused, and Save replaces the file as a whole or not at all. What
// is saved is pinned: tests/golden/test_vectors_test.cc.

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "membership/filters/bloom_filter.h"
#include "table/hash/little_endian.h"
#include "tests/golden/test_vectors.h"
#include "tests/testing.h"

namespace oneline {
namespace {

// Names of what was synced.
std::vector<std::string>& Synced() {
  static std::vector<std::string> synced;
  return synced;
}

}  // namespace
}  // namespace oneline

// Takes the place of the C library's.
extern "C" int fsync(int fd) {
  oneline::Synced().push_back(
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)));
  return static_cast<int>(syscall(SYS_fsync, fd));
}

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

  ptrdiff_t NumFiles() const {
    const std::filesystem::directory_iterator files(directory_.path());
    return std::distance(begin(files), end(files));
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
  for (const std::string& path : {directory_.path(), path_}) {
    if (path == path_) mkfifo(path.c_str(), 0600);
    EXPECT_EQ(BloomFilter::Load(path).status().message(),
              path + ": is not a regular file");
  }
  const std::string none = directory_.File("none/f");
  EXPECT_EQ(BloomFilter::ForBytes(1, 1, 0)->Save(none).message(),
            none + ": No such file or directory");
}

TEST_F(BloomFilterFileTest, SaveKeepsPermissionsAndLinks) {
  SavedBytes();
  const std::string link = directory_.File("link");
  ASSERT_EQ(chmod(path_.c_str(), 0660), 0);
  std::filesystem::create_symlink("saved", link);
  ASSERT_TRUE(BloomFilter::ForBytes(100, 1, 0)->Save(link).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(BloomFilter::Load(path_)->num_bytes(), 100u);
  struct stat file = {};
  ASSERT_EQ(stat(path_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0660u);
  EXPECT_EQ(NumFiles(), 2);
}

TEST_F(BloomFilterFileTest, SaveSyncsTheFileBeforeAndTheDirectoryAfter) {
  Synced().clear();
  SavedBytes();
  ASSERT_EQ(Synced().size(), 2u);
  // Before it has its name.
  EXPECT_NE(Synced()[0].find("/saved.tmp."), std::string::npos) << Synced()[0];
  EXPECT_EQ(Synced()[1],
            std::filesystem::canonical(directory_.path()).string());
}

// A limit on the size of files stands in for a full disk: the write fails.
TEST_F(BloomFilterFileTest, AFullDiskLeavesTheOldFile) {
  const std::string old = SavedBytes();
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(BloomFilter::ForBytes(100000, 1, 0)->Save(path_).ok() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(ReadWholeFile(path_), old);
  EXPECT_EQ(NumFiles(), 1);
}

// Whenever the writer is killed, the file is a complete one of its versions.
TEST_F(BloomFilterFileTest, AKilledWriterLeavesAWholeFile) {
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (uint64_t seed = 0;; ++seed) {
        BloomFilter filter = *BloomFilter::ForBytes(200000, 3, seed);
        filter.Add("key");
        if (!filter.Save(path_).ok()) _exit(1);
      }
    }
    usleep(10000 + 1000 * static_cast<useconds_t>(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const absl::StatusOr<BloomFilter> loaded = BloomFilter::Load(path_);
    if (absl::IsNotFound(loaded.status())) continue;
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    ASSERT_TRUE(loaded->MayContain("key"));
  }
  EXPECT_TRUE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace oneline
