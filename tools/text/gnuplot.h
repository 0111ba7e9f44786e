// Plots, drawn by the program gnuplot (http://www.gnuplot.info).

#ifndef ONELINE_TOOLS_TEXT_GNUPLOT_H_
#define ONELINE_TOOLS_TEXT_GNUPLOT_H_

#include <string>

#include "absl/status/status.h"

namespace oneline {

// The text as a string in gnuplot's syntax, in single quotes.
std::string GnuplotText(const std::string& text);

// Lets gnuplot run `script` and writes its plot to `path`, an SVG of width x
// height pixels. On failure a file that was at `path` is unchanged. gnuplot's
// markup in texts (x_1, {/Bold x}) is off.
//
// Errors: FailedPrecondition if gnuplot is not installed, InvalidArgument if
// `path` can't be written, Internal with gnuplot's message if it fails.
absl::Status WriteSvg(const std::string& script, int width, int height,
                      const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_GNUPLOT_H_
