// Plots, drawn by the program gnuplot (http://www.gnuplot.info).

#ifndef ONELINE_TOOLS_TEXT_GNUPLOT_H_
#define ONELINE_TOOLS_TEXT_GNUPLOT_H_

#include <string>

#include "absl/status/status.h"

namespace oneline {

// Text in single quotes, as gnuplot reads it.
std::string GnuplotText(const std::string& text);

// Has gnuplot run `script` with an SVG of so many pixels as its output, and
// puts it at `path` when it is complete: whatever was there before stays
// otherwise. Texts stand for themselves: gnuplot's markup (x_1, {/Bold x}) is
// off. Errors name what is missing, or what gnuplot said.
absl::Status WriteSvg(const std::string& script, int width, int height,
                      const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_GNUPLOT_H_
