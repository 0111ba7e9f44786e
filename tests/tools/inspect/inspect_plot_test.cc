// Tests of `oneline inspect --svg`.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/temporary_directory.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

TEST(InspectPlotTest, PlotsArePictures) {
  const TemporaryDirectory directory;
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 2000);
  database.WriteTable(2000, 4000);
  const std::string svg = directory.File("it's a plot.svg");
  const Finished program =
      RunOneline("inspect --svg=\"" + svg + "\" " + database.path());
  EXPECT_EQ(program.exit_code, 0) << program.err;
  const std::string picture = ReadWholeFile(svg);
  for (const char* part : {"<svg", "</svg>", "Keys per line", "L0",
                           "False-positive rate of each table"}) {
    EXPECT_TRUE(Contains(picture, part)) << part;
  }
  // No temporary file is left.
  EXPECT_EQ(FilesIn(directory.path()).size(), 1u);
}

TEST(InspectPlotTest, PlotsThatCannotBeDrawnChangeNothing) {
  const TemporaryDirectory directory;
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 2000);
  const std::string svg = directory.File("plot.svg");
  std::ofstream(svg) << "an old plot";
  const Finished no_gnuplot = RunOneline(
      "inspect --svg=" + svg + " " + database.path(), "PATH=/nonexistent ");
  EXPECT_EQ(no_gnuplot.exit_code, 2);
  EXPECT_TRUE(Contains(no_gnuplot.err, "gnuplot-nox")) << no_gnuplot.err;
  EXPECT_EQ(ReadWholeFile(svg), "an old plot");
  EXPECT_EQ(FilesIn(directory.path()).size(), 1u);
  const Finished no_folder =
      RunOneline("inspect --svg=" + directory.File("none/plot.svg") + " " +
                 database.path());
  EXPECT_EQ(no_folder.exit_code, 2);
  EXPECT_TRUE(Contains(no_folder.err, "can't be written")) << no_folder.err;
}

}  // namespace
}  // namespace oneline
