// What every command promises, and what all commands that read a database
// promise besides. The tests of a command have what only it does.

#include <leveldb/db.h>

#include <regex>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// Those that `oneline help` lists: the first lines that are indented.
std::vector<std::string> CommandNames() {
  std::istringstream overview(RunOneline("help").out);
  std::vector<std::string> names;
  for (std::string line; std::getline(overview, line);) {
    if (line.compare(0, 3, "   ") == 0) continue;  // a long line goes on
    if (line.compare(0, 2, "  ") == 0) {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    } else if (!names.empty()) {
      break;
    }
  }
  return names;
}

// Those that read the database, or databases, of an argument. (`refilter`
// writes it.)
std::vector<std::string> DatabaseCommandNames() {
  std::vector<std::string> names;
  for (const std::string& name : CommandNames()) {
    const std::string usage = "Usage: oneline " + name + " PATH";
    if (name != "refilter" &&
        RunOneline(name + " --help").out.rfind(usage, 0) == 0) {
      names.push_back(name);
    }
  }
  return names;
}

std::string NameOf(const testing::TestParamInfo<std::string>& test) {
  return test.param;
}

class AnyCommandTest : public testing::TestWithParam<std::string> {
 protected:
  std::string name() const { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(All, AnyCommandTest, testing::ValuesIn(CommandNames()),
                         NameOf);

// Each has a chapter in docs/tools.md.
TEST(CommandNamesTest, AreThoseThatAreDescribed) {
  const std::string page = ReadWholeFile("docs/tools.md");
  const std::regex heading("\n## oneline (\\w+)");
  std::vector<std::string> described;
  for (std::sregex_iterator at(page.begin(), page.end(), heading), end;
       at != end; ++at) {
    described.push_back((*at)[1]);
  }
  EXPECT_EQ(CommandNames(), described);
  EXPECT_GE(DatabaseCommandNames().size(), 3u);
}

TEST_P(AnyCommandTest, HelpTellsHowToUseIt) {
  const std::string help = OutputOf(name() + " --help");
  EXPECT_EQ(help.rfind("Usage: oneline " + name() + " ", 0), 0u);
  EXPECT_TRUE(ContainsAll(
      help, {"\nExit codes: 0 ", "\nExamples:\n\n    $ oneline " + name()}));
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << line;
    const bool is_flag = line.compare(0, 4, "  --") == 0;
    EXPECT_EQ(is_flag, std::regex_match(
                           line, std::regex("  --[a-z0-9_]+(=[A-Z]+)?( .*)?")))
        << line;
  }
  EXPECT_EQ(RunOneline("help " + name()).out, help);
}

// An example is a line that begins with "    $ oneline ". It runs in a
// directory in which "db" is a database with our filters.
TEST_P(AnyCommandTest, TheExamplesOfHelpWork) {
  const TemporaryDirectory directory;
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 20000);
  database.Close();
  fs::create_directory_symlink(database.path(), directory.File("db"));
  fs::create_symlink(Oneline(), directory.File("oneline"));
  std::ofstream(directory.File("urls")) << "http://example.org/\n";
  std::istringstream help(RunOneline(name() + " --help").out);
  for (std::string line; std::getline(help, line);) {
    if (line.compare(0, 14, "    $ oneline ") != 0) continue;
    const Finished program = RunProgram("cd " + directory.path() +
                                        " && PATH=.:$PATH " + line.substr(6));
    EXPECT_EQ(program.exit_code, 0) << line << "\n" << program.err;
    EXPECT_NE(program.out, "") << line;
  }
}

// What bash offers when the last word is to be completed.
std::string Offered(const std::string& words, int last) {
  return RunProgram(
             "bash -c 'cd tools && . command/completion.bash && "
             "COMP_WORDS=(./oneline " +
             words + ") COMP_CWORD=" + std::to_string(last) +
             "; _oneline; echo $(printf \"%s\\n\" \"${COMPREPLY[@]}\" | "
             "LC_ALL=C sort)'")
      .out;
}

TEST(CommandNamesTest, BashCompletes) {
  EXPECT_EQ(Offered("ins", 1), "inspect\n");
  EXPECT_EQ(Offered("--v", 1), "--version\n");
  EXPECT_EQ(Offered("help ver", 2), "verify\n");
  EXPECT_EQ(Offered("verify --j", 2), "--jobs= --json\n");
  EXPECT_EQ(Offered("verify db --ra", 3), "--rate=\n");
  EXPECT_EQ(Offered("verify --wat", 2), "\n");
  EXPECT_EQ(Offered("verify comm", 2), "command\n");
  EXPECT_EQ(Offered("refilter --keep_old = comm", 4), "command\n");
  for (const std::string& command : CommandNames()) {
    EXPECT_TRUE(Contains(" " + Offered("\"\"", 1), " " + command));
    EXPECT_TRUE(Contains(Offered(command + " --", 2), "--help"));
  }
}

// Three tables of one column family.
class DatabaseCommandTest : public AnyCommandTest {
 protected:
  DatabaseCommandTest() : database_(OptionsWith(OurPolicy(10))) {
    for (int i = 0; i < 3; ++i) database_.WriteTable(1000 * i, 1000 * i + 1000);
    file_ = database_.TableFiles()[1];
  }

  const std::string& path() const { return database_.path(); }
  Finished Run(const std::string& arguments,
               const std::string& before = "") const {
    return RunOneline(name() + " " + arguments, before);
  }
  std::string Output(const std::string& arguments, int exit_code = 0) const {
    return OutputOf(name() + " " + arguments, exit_code);
  }

  ScratchDatabase database_;
  std::string file_;  // the second table
};

INSTANTIATE_TEST_SUITE_P(All, DatabaseCommandTest,
                         testing::ValuesIn(DatabaseCommandNames()), NameOf);

TEST_P(DatabaseCommandTest, WhatIsNoDatabaseIsRefused) {
  const TemporaryDirectory directory;
  const auto refuses = [this](const std::string& wrong,
                              const std::string& why) {
    ExpectRefusal(Run(wrong), "oneline " + name() + ": " + wrong + ": " + why);
  };
  refuses(directory.File("none"), "No such file or directory");
  ExpectRefusal(Run("''"), "oneline " + name() + ": PATH is empty");
  ExpectRefusal(Run(""), "usage: oneline " + name() + " PATH");
  ExpectRefusal(Run(path() + " --db_paths=none"),
                "none: there is no such directory");
  refuses(directory.path(),
          "is not a RocksDB database: it has no file CURRENT");
  refuses("/dev/null", "is neither the directory of a database nor an SST");
  std::ofstream(directory.File("text")) << "some text that is no table\n";
  const bool takes_tables = name() == "inspect" || name() == "verify";
  refuses(directory.File("text"),
          takes_tables ? "is not an SST file"
                       : "is a file, not the directory of a database");
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* db = nullptr;
  ASSERT_TRUE(leveldb::DB::Open(options, directory.File("leveldb"), &db).ok());
  ASSERT_TRUE(db->Put(leveldb::WriteOptions(), "key", "value").ok());
  delete db;
  refuses(directory.File("leveldb"), "is a database of LevelDB");
  fs::copy(path(), directory.File("damaged"));
  std::ofstream(directory.File("damaged/CURRENT")) << "nonsense";
  refuses(directory.File("damaged"), "Corruption: ");
}

// As in a database. (doctor and others refuse one table, as they do above.)
TEST_P(DatabaseCommandTest, ADamagedTableIsFound) {
  if (name() != "inspect" && name() != "verify") GTEST_SKIP();
  EXPECT_NE(Output(file_), "");
  fs::resize_file(file_, 1000);
  for (const std::string& where : {file_, path()}) {
    EXPECT_TRUE(
        Contains(Output(where, 1), "is not an SST file, or its end is lost"));
  }
}

// In a database that is open, that is closed, and that is damaged.
TEST_P(DatabaseCommandTest, ChangesNothing) {
  // A flush deletes its log after it returned. This waits for it.
  ASSERT_TRUE(database_->PauseBackgroundWork().ok());
  auto before = FilesIn(path());
  EXPECT_NE(Output(path()), "");
  EXPECT_EQ(FilesIn(path()), before);
  ASSERT_TRUE(database_->ContinueBackgroundWork().ok());
  // The database still has its lock and its files.
  database_.WriteTable(3000, 4000);
  ExpectAllFound(database_, 0, 4000);
  database_.Close();
  before = FilesIn(path());
  // The number of threads does not matter.
  EXPECT_EQ(Output(path() + " --jobs=4"), Output(path()));
  EXPECT_EQ(FilesIn(path()), before);
  fs::resize_file(file_, 1000);
  before = FilesIn(path());
  Output(path(), 1);
  EXPECT_EQ(FilesIn(path()), before);
}

TEST_P(DatabaseCommandTest, JsonIsValid) {
  // Names of column families may be no UTF-8.
  database_.WriteFamily("\xff\"\\", OptionsWith(OurPolicy(10)), 1);
  EXPECT_GT(RunForJson(name() + " " + path()).size(), 1u);
}

// A table without permission is not damaged; the others are read.
TEST_P(DatabaseCommandTest, WhatCanNotBeReadIsAnErrorAfterTheReport) {
  database_.Close();
  const std::string why = file_ + ": can't be opened: Permission denied\n";
  fs::permissions(file_, fs::perms::none);
  const Finished run = Run(path(), AsUser());
  EXPECT_EQ(run.exit_code, 2);
  const std::string count =
      name() == "doctor" ? "" : "1 table could not be read; the first: ";
  EXPECT_EQ(ErrorsIn(run), "oneline " + name() + ": " + count + why);
  const char* const words = name() == "verify"    ? "2 tables intact: "
                            : name() == "inspect" ? "unreadable"
                                                  : "1. not-examined";
  EXPECT_TRUE(Contains(run.out, words));
  EXPECT_FALSE(Contains(run.out, "DAMAGED")) << run.out;
  fs::permissions(file_, fs::perms::owner_all);
  fs::permissions(path(), fs::perms::none);
  ExpectRefusal(Run(path(), AsUser()), path() + ": Permission denied\n");
  fs::permissions(path(), fs::perms::owner_all);
}

constexpr char kRed[] = "\x1b[31mred", kPrintableRed[] = "\\x1b[31mred";

// What a terminal would obey is printed as escapes.
void ExpectPrintableRed(const Finished& run) {
  EXPECT_FALSE(Contains(run.out + run.err, kRed));
  EXPECT_TRUE(Contains(run.out, kPrintableRed));
}

TEST_P(DatabaseCommandTest, AMissingTableIsFoundAndItsPathIsPrintable) {
  database_.Close();
  fs::remove(file_);
  const TemporaryDirectory directory;
  const std::string red = directory.File(kRed);
  fs::create_directory_symlink(path(), red);
  const Finished run = Run("'" + red + "'");
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  EXPECT_EQ(ErrorsIn(run), "");
  EXPECT_TRUE(Contains(run.out, fs::path(file_).filename()));
  ExpectPrintableRed(run);
}

TEST(DatabaseCommandNamesTest, ArePrintedWithoutControlCharacters) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteFamily(kRed, OptionsWith(OurPolicy(20)), 1000);
  database.Close();
  // verify prints no name of a column family, doctor those of its findings.
  for (const char* command : {"inspect", "doctor --expect=none", "refilter"}) {
    SCOPED_TRACE(command);
    ExpectPrintableRed(RunOneline(command + (" " + database.path())));
  }
}

TEST(DatabaseCommandPathsTest, DirectoriesOfTablesCanBeNamed) {
  const TemporaryDirectory elsewhere;
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.db_paths = {{elsewhere.path(), 1}, {elsewhere.File("b"), 1 << 30}};
  ScratchDatabase database(options, 1000);
  rocksdb::CompactRangeOptions compaction;
  compaction.target_path_id = 1;
  compaction.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForce;
  ASSERT_TRUE(database->CompactRange(compaction, nullptr, nullptr).ok());
  database.WriteTable(0, 1000);
  database.Close();
  const std::string named =
      " --db_paths=" + elsewhere.path() + "," + elsewhere.File("b");
  for (const std::string& command : DatabaseCommandNames()) {
    OutputOf(command + " " + database.path() + named);
    EXPECT_NE(RunOneline(command + " " + database.path()).exit_code, 0);
  }
}

// The program reads the database while this process writes and compacts, so
// that tables vanish under it.
TEST(DatabaseCommandPathsTest, BesideARunningDatabase) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.disable_auto_compactions = false;
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 64 << 10;
  options.level0_file_num_compaction_trigger = 2;
  ScratchDatabase database(options, 1000);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const int key =
          static_cast<int>(static_cast<unsigned>(i) * 2654435761u % 8000u);
      ASSERT_TRUE(
          database->Put(rocksdb::WriteOptions(), KeyAt(key), ValueAt(i)).ok());
    }
  });
  for (int i = 0; i < 3; ++i) {
    for (const std::string& command : DatabaseCommandNames()) {
      const std::string flags =
          command == "doctor" ? " --block_cache=1GiB" : "";
      OutputOf(command + flags + " " + database.path());
    }
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace oneline
