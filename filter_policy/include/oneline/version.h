// The version of this library, of the program `oneline` and of the packages:
// CMakeLists.txt and third_party/make_debs.sh read it here, and tests compare
// oneline.bzl, CHANGELOG.md and the packages' changelog with it. Formats of
// filters have numbers of their own.

#ifndef ONELINE_VERSION_H_
#define ONELINE_VERSION_H_

#define ONELINE_VERSION "0.2.0"
#define ONELINE_VERSION_MAJOR 0
#define ONELINE_VERSION_MINOR 2
#define ONELINE_VERSION_PATCH 0

// All public names are in this inline namespace: a program that was compiled
// with the headers of another minor version, where a struct may have other
// fields, finds none of the functions that it calls, and does not link or does
// not start. docs/compatibility.md says what stays.
#define ONELINE_ABI v0_2

namespace oneline {
inline namespace ONELINE_ABI {

// The version of the library that runs, a text that stays valid. Thread-safe.
// ONELINE_VERSION is the version of the headers.
const char* Version();

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_VERSION_H_
