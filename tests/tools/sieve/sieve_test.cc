#include "tests/testing.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

std::string Number(int i) {
  return "http://example.com/" + std::to_string(i) + "\n";
}

class SieveTest : public testing::TestWithParam<bool> {
 protected:
  bool exact() const { return GetParam(); }

  std::string store() const {
    return directory_.File(exact() ? "db" : "saved");
  }

  // The command line of a run that remembers the lines of earlier runs.
  std::string Sieve() const {
    return "tools/oneline sieve " +
           std::string(exact() ? "--db "
                               : "--capacity 100000 --fp_rate 1e-9 --save ") +
           store();
  }

  // A command that waits until the file is not empty.
  static std::string WaitFor(const std::string& file) {
    return "for i in $(seq 600); do [ -s " + file +
           " ] && break; sleep 0.1; done; ";
  }

  Finished Run(const std::string& input, const std::string& before = "",
               const std::string& after = "") {
    const std::string path = directory_.File("input");
    std::ofstream(path, std::ios::binary) << input;
    // In braces, because RunProgram appends the redirection of the output.
    return RunProgram("{ " + before + Sieve() + " <" + path + after + "; }");
  }

  const TemporaryDirectory directory_;
};

TEST_P(SieveTest, KeepsTheFirstOfEachLineInOrder) {
  Finished run = Run("b\na\nb\n\nc\na\n\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "b\na\n\nc\n");
  EXPECT_EQ(run.err, "");
  // The next run remembers them.
  run = Run("d\na\nb");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "d\n");
  EXPECT_EQ(Run("").out, "");
}

// The result is that of awk '!seen[$0]++'.
TEST_P(SieveTest, ManyLinesInManyReads) {
  std::string input, expected;
  for (int i = 0; i < 50000; ++i) {
    input += Number(i) + Number(i / 2) + Number(i * 7919 % 50000);
  }
  std::set<std::string> seen;
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);) {
    if (seen.insert(line).second) expected += line + "\n";
  }
  const Finished run = Run(input);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out == expected);
}

// Lines that could not be written are new again in the next run.
TEST_P(SieveTest, AFullDiskOrAClosedPipeLosesNothing) {
  const std::string input = Number(1) + Number(2);
  ExpectRefusal(Run(input, "", " >/dev/full"),
                "oneline sieve: standard output: No space left on device\n");
  // The reader of the pipe ends before the first line comes.
  const std::string late =
      "{ sleep 1; printf '" + Number(1) + "'; } | " + Sieve() + " | true";
  EXPECT_EQ(RunProgram("{ " + late + "; }").err,
            "oneline sieve: standard output: Broken pipe\n");
  EXPECT_EQ(Run(input).out, input);
}

// Shell commands that wait until the last background process catches SIGINT,
// and until it has nothing more to do, however busy the machine is.
constexpr char kUntilItCatches[] =
    "until grep -q '^SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.1; "
    "done; ";
constexpr char kUntilItWaits[] =
    "used() { cut -d' ' -f14,15 /proc/$1/stat; }; "
    "until a=$(used $!); sleep 1; [ \"$a\" = \"$(used $!)\" ]; do :; done; ";

// Ctrl-C during a wait: the lines before it are written and remembered.
TEST_P(SieveTest, AnInterruptEndsItAsTheEndOfInputDoes) {
  const std::string out = directory_.File("out");
  const Finished run =
      RunProgram("{ mkfifo " + directory_.File("fifo") + "; " + Sieve() + " <" +
                 directory_.File("fifo") + " >" + out + " & exec 3>" +
                 directory_.File("fifo") + "; printf '" + Number(1) +
                 Number(2) + "not yet' >&3; " + kUntilItCatches +
                 kUntilItWaits + "kill -INT $!; wait $!; echo $?; }");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, "130\n");
  EXPECT_EQ(ReadWholeFile(out), Number(1) + Number(2));
  EXPECT_EQ(Run(Number(1) + Number(2) + "not yet").out, "not yet\n");
}

// While its threads are busy, too.
TEST_P(SieveTest, ASignalEndsABusyRun) {
  const std::string out = directory_.File("out");
  const Finished run =
      RunProgram("{ yes x | " + Sieve() + " >" + out + " & " + kUntilItCatches +
                 WaitFor(out) + "kill -TERM $!; wait $!; }");
  EXPECT_EQ(run.exit_code, 143);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(ReadWholeFile(out), "x\n");
}

// While a reader of the output takes nothing more. No line is lost, and none is
// cut in two.
TEST_P(SieveTest, AnInterruptEndsARunWhoseOutputIsBlocked) {
  const std::string fifo = directory_.File("fifo"), in = directory_.File("in");
  std::string input;
  for (int i = 0; i < 50000; ++i) input += Number(i);
  std::ofstream(in) << input;
  // A read takes what the pipe has.
  const Finished run = RunProgram(
      "{ mkfifo " + fifo + "; exec 3<>" + fifo + "; " + Sieve() + " <" + in +
      " >" + fifo + " & " + kUntilItCatches + kUntilItWaits +
      "kill -INT $!; wait $!; echo $? >&2; "
      "timeout 60 dd bs=1M count=1 status=none <&3; }");
  EXPECT_NE(run.out, "");
  ASSERT_LT(run.out.size(), input.size());
  EXPECT_EQ(run.out.back(), '\n');
  EXPECT_TRUE(input.compare(0, run.out.size(), run.out) == 0);
  if (exact()) {
    EXPECT_EQ(run.err, "130\n");
    EXPECT_TRUE(Run(input).out == input.substr(run.out.size()));
  } else {
    EXPECT_EQ(run.err,
              "oneline sieve: " + store() +
                  ": not saved: lines in the filter were not written\n2\n");
    EXPECT_TRUE(Run(input).out == input);
  }
}

// A file that is opened must not get the descriptor of a closed stream: what is
// meant for the stream would be written to the file.
TEST_P(SieveTest, AClosedStreamIsAnError) {
  const std::string input = Number(1) + Number(2);
  const auto error = [&](const std::string& redirection) {
    const std::string err = directory_.File("err");
    std::ofstream(directory_.File("input")) << input;
    const Finished run =
        RunProgram("sh -c '" + Sieve() + " 2>" + err + " <" +
                   directory_.File("input") + " " + redirection + "'");
    EXPECT_EQ(run.exit_code, 2);
    return ReadWholeFile(err);
  };
  EXPECT_EQ(error(">&-"),
            "oneline sieve: standard output: Bad file descriptor\n");
  EXPECT_EQ(error("<&-"),
            "oneline sieve: standard input: Bad file descriptor\n");
  EXPECT_EQ(error(">&- 2>&-"), "");
  EXPECT_EQ(Run(input).out, input);
}

// Writes the line unchanged, but remembers its normal form.
TEST_P(SieveTest, NormalizesUrls) {
  const std::string input = "HTTP://EXAMPLE.com:80#x\nhttp://example.com/\n";
  EXPECT_EQ(Run(input, "", " --normalize").out, "HTTP://EXAMPLE.com:80#x\n");
  EXPECT_EQ(Run(input, "", " --normalize").out, "");
  ExpectRefusal(Run(input), "normalize: go on with");
}

INSTANTIATE_TEST_SUITE_P(BothStores, SieveTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& exact) {
                           return exact.param ? "Exact" : "Approximate";
                         });

TEST(SieveFlagsTest, WarnsPastTheCapacity) {
  const Finished run = RunProgram(
      "seq 1000 | { tools/oneline sieve --capacity 999 --fp_rate 1e-9; }");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err,
            "oneline sieve: warning: more than 999 distinct lines: from now on "
            "more new lines are lost than --fp_rate says\n");
  EXPECT_EQ(RunProgram("seq 999 | { tools/oneline sieve --capacity 999; }").err,
            "");
}

// They are known before the input is read: nobody should wait for an error that
// is certain.
TEST(SieveFlagsTest, WrongFlags) {
  for (const auto& [flags, error] :
       std::vector<std::pair<const char*, const char*>>{
           {"",
            "either --db=DIRECTORY (exact) or --capacity=N (approximate) must "
            "be given"},
           {"--db x --capacity 5", "either --db=DIRECTORY (exact) or"},
           {"--db x --save y", "--save is not for --db"},
           {"--capacity 5 --memory 8M", "--memory is not for --capacity"},
           {"--capacity 5 --save none/x", "none/x.lock: No such file"}}) {
    ExpectRefusal(RunProgram("echo line | { tools/oneline sieve " +
                             std::string(flags) + "; }"),
                  error);
  }
}

// With --db it keeps within --memory and 64 MiB besides, whatever the input is:
// a new database that grows to several times the size of --memory, one that
// exists, and long lines, whose read buffer must not let short lines after them
// come in batches of millions.
TEST(SieveMemoryTest, KeepsWithinItsMemory) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory themselves";
  const TemporaryDirectory directory;
  const std::string path = directory.File("input");
  const auto peak_of = [&](const std::string& input, int first, int last) {
    std::ofstream file(path, std::ios::binary);
    file << input;
    for (int i = first; i < last; ++i) {
      file << "http://www.site" << i % 997 << ".example/page/" << i << "\n";
    }
    file.close();
    return KilobytesOf("sieve --memory 8MiB --db " + directory.File("db") +
                       " <" + path);
  };
  // Small databases take well below 64 MiB for program, libraries and heap.
  constexpr uint64_t kKilobytes = (8 << 10) + (50 << 10);
  EXPECT_LE(peak_of("", 0, 800000), kKilobytes);
  EXPECT_LE(peak_of("", 700000, 900000), kKilobytes);
  const std::string line(10 << 20, 'x');
  EXPECT_LE(peak_of(line + "\n" + line + "y\n" + std::string(4 << 20, '\n') +
                        line + "z\n",
                    0, 10000),
            kKilobytes + 5 * (10 << 10));
}

}  // namespace
}  // namespace oneline
