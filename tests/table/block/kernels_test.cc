// The kernels of every kind (table/simd/lookups.h): with each instruction set
// that this machine can run they answer as a reader written from
// docs/internals/format.md does, whatever the bytes and the length of the line,
// and read nothing outside of it. The default takes some seconds; 10^8 random
// lines for each kind take half an hour:
//
//   bazel test --test_env=ONELINE_TEST_LINES=100000000 --test_timeout=7200
//     //tests/table/block:kernels_test

#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/simd/lookups.h"
#include "tests/guarded_bytes.h"
#include "tests/table/all_kinds.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace {

// Random lines for each kind.
uint64_t NumLines() {
  const char* wanted = std::getenv("ONELINE_TEST_LINES");
  if (wanted != nullptr && *wanted != '\0') {
    return std::strtoull(wanted, nullptr, 0);
  }
  return kSlow ? 20000 : 500000;
}

// One in eight is hostile itself.
uint64_t AnyHash(std::mt19937_64& random) {
  constexpr uint64_t kHostile[] = {0, 1, ~uint64_t{0}, uint64_t{1} << 63,
                                   0xffffffff};
  return random() % 8 == 0 ? kHostile[random() % 5] : random();
}

class KernelsTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }

  bool Specified(const uint8_t* line, size_t num_bytes, uint64_t hash,
                 uint8_t parameter) const {
    return LineBySpecification(kind().id, line, num_bytes, hash, parameter);
  }

  // Each function of each kernel that takes lines of this length.
  void ExpectAnswer(const uint8_t* line, size_t num_bytes, uint64_t hash,
                    uint8_t parameter, bool expected) const {
    const auto length = static_cast<uint32_t>(num_bytes);
    const LineContext context = kind().lines->context(parameter, length);
    for (InstructionSet set : sets_) {
      const ProbeKernel& kernel = KernelFor(*kind().lines->kernels, set);
      bool same = kernel.short_line({line, length}, hash, context) == expected;
      if (num_bytes == kLineBytes) {
        bool in_batch = !expected;
        const FilterLines lines = {line, 1, 0, context};
        kernel.batch(lines, &hash, 1, &in_batch);
        same = same && in_batch == expected &&
               kernel.hash(lines, hash) == expected;
      }
      ASSERT_TRUE(same) << NameOf(set) << " does not say " << expected << ": "
                        << num_bytes << " bytes, parameter " << int{parameter}
                        << ", hash " << hash;
    }
  }

  // Returns what was expected.
  bool ExpectSpecified(const uint8_t* line, size_t num_bytes, uint64_t hash,
                       uint8_t parameter) const {
    const bool expected = Specified(line, num_bytes, hash, parameter);
    ExpectAnswer(line, num_bytes, hash, parameter, expected);
    return expected;
  }

  // Random bytes, sparse to dense. Every second line of the Ribbon has any
  // header and is changed so that this key passes, as in dense lines of other
  // kinds; half of all have one bit flipped after that.
  LineBytes AnyLine(size_t num_bytes, uint64_t hash, uint8_t parameter) {
    LineBytes line = RandomLine(num_bytes, random_() % 17, random_);
    if (kind().id == kRibbonId && random_() % 2 == 0) {
      PutRibbonHeader(random_() % 64, random_() % 8, random_() % 4,
                      line.data());
      LetPass({line.data(), num_bytes, hash, parameter}, line.data());
    }
    if (random_() % 2 == 0) {
      FlipBit(11 + random_() % (8 * num_bytes - 11), line.data());
    }
    return line;
  }

  // Lines built, as the kind builds them, from these hashes.
  std::vector<uint8_t> Built(uint8_t parameter,
                             const std::vector<uint64_t>& hashes,
                             uint32_t num_lines) const {
    HashList list;
    for (uint64_t hash : hashes) list.Append(hash);
    std::vector<uint8_t> lines(kLineBytes * num_lines);
    kind().lines->build(list, parameter, lines.data(), num_lines);
    return lines;
  }

  std::mt19937_64 random_ = TestRandom();
  const std::vector<InstructionSet> sets_ = SupportedSets();
};

// Lines lie against an unreadable page, which ends the test if it is read, or
// anywhere.
TEST_P(KernelsTest, AnyLineAnswersAsSpecified) {
  using Guarded = std::unique_ptr<GuardedBytes>;
  std::array<Guarded, kLineBytes + 1> behind_guard, before_guard;
  for (size_t i = 8; i <= kLineBytes; ++i) {
    behind_guard[i] = std::make_unique<GuardedBytes>(i, GuardedEdge::kStart);
    before_guard[i] = std::make_unique<GuardedBytes>(i, GuardedEdge::kEnd);
  }
  alignas(kLineBytes) std::array<uint8_t, 2 * kLineBytes> memory;
  const std::vector<uint8_t> parameters = ValidParameters(kind());
  const uint64_t num_lines = NumLines();
  constexpr int kKeys = 4;
  uint64_t passed = 0;
  for (uint64_t i = 0; i < num_lines; ++i) {
    const uint8_t parameter = parameters[random_() % parameters.size()];
    // One line in three is short.
    const size_t num_bytes =
        random_() % 3 == 0 ? 8 + random_() % 57 : kLineBytes;
    uint64_t hash = AnyHash(random_);
    const LineBytes line = AnyLine(num_bytes, hash, parameter);
    uint8_t* const places[] = {behind_guard[num_bytes]->data(),
                               before_guard[num_bytes]->data(),
                               memory.data() + random_() % kLineBytes};
    uint8_t* const place = places[random_() % 3];
    std::copy(line.begin(), line.end(), place);
    for (int key = 0; key < kKeys; ++key, hash = AnyHash(random_)) {
      passed += ExpectSpecified(place, num_bytes, hash, parameter) ? 1 : 0;
    }
    if (HasFatalFailure()) return;
  }
  // Both answers were asked for.
  EXPECT_GT(passed, num_lines / 50);
  EXPECT_LT(passed, num_lines * 3);
}

// Keys of all lengths that the hash treats differently, in filters of some
// lines, as KeyHash and the line's answer.
TEST_P(KernelsTest, KeysOfEveryLength) {
  for (uint8_t parameter : ValidParameters(kind())) {
    const uint32_t num_lines = 1 + random_() % 100;
    const std::vector<uint64_t> keys = RandomHashes(27 * num_lines, random_);
    const std::vector<uint8_t> built = Built(parameter, keys, num_lines);
    const FilterLines lines = {built.data(), num_lines, random_(),
                               kind().lines->context(parameter, kLineBytes)};
    for (size_t num_bytes = 0; num_bytes <= 260; ++num_bytes) {
      const GuardedBytes key(num_bytes, GuardedEdge::kEnd);
      std::generate_n(key.data(), num_bytes,
                      [&] { return static_cast<uint8_t>(random_()); });
      const auto* const text = reinterpret_cast<const char*>(key.data());
      const uint64_t hash = KeyHash({text, num_bytes}, lines.seed);
      const bool expected =
          Specified(lines.LineOf(hash), kLineBytes, hash, parameter);
      for (InstructionSet set : sets_) {
        const ProbeKernel& kernel = KernelFor(*kind().lines->kernels, set);
        ASSERT_EQ(kernel.key(lines, text, num_bytes), expected)
            << NameOf(set) << ", " << num_bytes << " bytes";
      }
    }
  }
}

// Keys of a filter and others, together as each alone. What is asked and the
// answers end at an unreadable page.
TEST_P(KernelsTest, BatchesOfEverySize) {
  for (uint8_t parameter : ValidParameters(kind())) {
    const uint32_t num_lines = 1 + random_() % 100;
    const std::vector<uint64_t> keys = RandomHashes(27 * num_lines, random_);
    const std::vector<uint8_t> built = Built(parameter, keys, num_lines);
    const FilterLines lines = {built.data(), num_lines, 0,
                               kind().lines->context(parameter, kLineBytes)};
    for (size_t n = 0; n <= kBatchKeys; ++n) {
      const GuardedBytes asked(n * sizeof(uint64_t), GuardedEdge::kEnd);
      const GuardedBytes answers(n, GuardedEdge::kEnd);
      auto* const hashes = reinterpret_cast<uint64_t*>(asked.data());
      std::vector<uint8_t> expected;
      for (size_t i = 0; i < n; ++i) {
        const bool present = random_() % 2 == 0;
        hashes[i] = present ? keys[random_() % keys.size()] : AnyHash(random_);
        expected.push_back(Specified(lines.LineOf(hashes[i]), kLineBytes,
                                     hashes[i], parameter));
        ASSERT_TRUE(expected[i] || !present);
      }
      for (InstructionSet set : sets_) {
        const ProbeKernel& kernel = KernelFor(*kind().lines->kernels, set);
        std::transform(expected.begin(), expected.end(), answers.data(),
                       [](uint8_t answer) { return 1 - answer; });
        kernel.batch(lines, hashes, n, reinterpret_cast<bool*>(answers.data()));
        for (size_t i = 0; i < n; ++i) {
          ASSERT_EQ(answers.data()[i], expected[i])
              << NameOf(set) << ", " << i << " of " << n << ", parameter "
              << int{parameter};
          ASSERT_EQ(kernel.hash(lines, hashes[i]), expected[i] != 0);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelsTest, testing::ValuesIn(AllKinds()),
                         [](const auto& kind) { return kind.param->name; });

class RibbonKernelsTest : public KernelsTest {
 protected:
  // The key passes this line, and each column that is asked of it can say no.
  void ExpectEachColumnDecides(uint64_t hash, uint8_t base, LineBytes line) {
    const SpecifiedRibbonLookup lookup(line.data(), line.size(), hash, base);
    ExpectAnswer(line.data(), line.size(), hash, base, true);
    for (int column = 0; column < lookup.num_columns(); ++column) {
      const std::vector<int> bits = lookup.BitsOf(column);
      if (bits.empty()) continue;  // no bit of a key's few coefficients is set
      const auto row = static_cast<size_t>(bits[random_() % bits.size()]);
      if (row < 11) continue;  // of the header
      FlipBit(row, line.data());
      ExpectAnswer(line.data(), line.size(), hash, base, false);
      FlipBit(row, line.data());
    }
  }

  // Keys for all windows of lines with this header, and each of these asked of
  // the partial column and not, where there are such keys.
  void ExpectEachWindow(uint32_t rows, uint8_t base, uint32_t seed,
                        uint32_t d) {
    LineBytes line = RandomLine(kLineBytes, 8, random_);
    PutRibbonHeader(rows - base, seed, d, line.data());
    const int num_windows =
        SpecifiedRibbonLookup(line.data(), kLineBytes, 0, base).num_windows();
    std::set<std::pair<int, bool>> seen;
    std::set<int> windows;
    // A window is not found with probability e^-40.
    for (int tries = 0; tries < 40 * num_windows; ++tries) {
      const uint64_t hash = random_();
      const SpecifiedRibbonLookup lookup(line.data(), kLineBytes, hash, base);
      const std::pair window = {lookup.window(), lookup.asks_partial_column()};
      if (seen.count(window) != 0) continue;
      ExpectSpecified(line.data(), kLineBytes, hash, base);
      LineBytes passed = line;
      if (!LetPass({passed.data(), kLineBytes, hash, base}, passed.data())) {
        continue;
      }
      ExpectEachColumnDecides(hash, base, passed);
      if (HasFatalFailure()) return;
      seen.insert(window);
      windows.insert(window.first);
    }
    EXPECT_EQ(static_cast<int>(windows.size()), num_windows) << rows << " rows";
  }
};

TEST_P(RibbonKernelsTest, EveryHeaderAndWindow) {
  constexpr uint32_t kMaxRows = 254, kMaxBase = 192;
  for (uint32_t rows = 1; rows <= kMaxRows; rows += kSlow ? 13 : 1) {
    // The largest base for these rows, and the smallest.
    const uint32_t largest = std::min(rows / 4 * 4, kMaxBase);
    const uint32_t smallest = rows <= 62 ? 0 : (rows - 62 + 3) / 4 * 4;
    for (uint32_t base : {largest, smallest}) {
      for (uint32_t seed = 0; seed < 8; ++seed) {
        for (uint32_t d = 0; d < 4; ++d) {
          ExpectEachWindow(rows, static_cast<uint8_t>(base), seed, d);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ribbon, RibbonKernelsTest,
                         testing::Values(FindKind(kRibbonId)));

}  // namespace
}  // namespace oneline
