// The last step of bench/report/report.sh: writes DIRECTORY/report.html.
// Usage: write_report DIRECTORY

#include <cstdio>
#include <fstream>
#include <string>

#include "absl/strings/str_format.h"
#include "bench/report/report_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    absl::FPrintF(stderr, "usage: write_report DIRECTORY\n");
    return 2;
  }
  const std::string directory = argv[1];
  const auto page = oneline::ReportPage(directory);
  if (!page.ok()) {
    absl::FPrintF(stderr, "error: %s\n", page.status().message());
    return 1;
  }
  const std::string path = directory + "/report.html";
  std::ofstream file(path, std::ios::binary);
  file << *page;
  file.close();
  if (!file) {
    absl::FPrintF(stderr, "error: cannot write %s\n", path);
    return 1;
  }
}
